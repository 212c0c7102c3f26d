/** What the server itself does to the metadata of objects that are written. */
import { type ApiContext, generateName, newUid, timestamp } from "../api/api-context.ts";
import { badRequestError, type GroupResource, notFoundError } from "../status-errors.ts";
import {
  copyField,
  drop,
  ensureTree,
  equalNodes,
  isTree,
  stringAt,
  type Tree,
  type TreeNode,
  treesAt,
} from "../tree.ts";

/** Gives an object the namespace of the request, which it must not contradict. Throws KubeApiError (400). */
export function takeNamespace(object: Tree, namespaced: boolean, namespace: string): void {
  const metadata = ensureTree(object, "metadata");
  const own = stringAt(metadata, "namespace");
  if (!namespaced) {
    drop(metadata, "namespace");
  } else if (own === "") {
    metadata["namespace"] = namespace;
  } else if (own !== namespace) {
    throw badRequestError(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
}

/** The name in the object must be the one in the path. Throws KubeApiError (400). */
export function requireName(object: Tree, name: string): void {
  const own = stringAt(object, "metadata", "name");
  if (own === "") {
    throw badRequestError(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (own !== name) {
    throw badRequestError(`the name of the object (${own}) does not match the name on the URL (${name})`);
  }
}

/** Removes what clients must not set on new objects. */
export function wipeSystemFields(object: Tree): void {
  const metadata = ensureTree(object, "metadata");
  for (const field of [
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "uid",
    "selfLink",
  ]) {
    drop(metadata, field);
  }
}

/** Gives a new object its identity: uid, creation time, and a name where one is to be made. */
export function fillSystemFields(object: Tree, context: ApiContext): void {
  const metadata = ensureTree(object, "metadata");
  metadata["creationTimestamp"] = timestamp(context.clock);
  metadata["uid"] = newUid();
  const prefix = stringAt(metadata, "generateName");
  if (prefix !== "" && stringAt(metadata, "name") === "") {
    metadata["name"] = generateName(prefix);
  }
}

/** An update changes none of this, whatever it says. */
export function keepSystemFields(object: Tree, old: Tree): void {
  const metadata = ensureTree(object, "metadata");
  const before = ensureTree(old, "metadata");
  if (stringAt(metadata, "uid") === "") {
    copyField(before, metadata, "uid");
  }
  copyField(before, metadata, "creationTimestamp");
  if (before["deletionTimestamp"] !== undefined) {
    copyField(before, metadata, "deletionTimestamp");
  }
  if (metadata["deletionGracePeriodSeconds"] === undefined) {
    copyField(before, metadata, "deletionGracePeriodSeconds");
  }
}

/** Removes owner references that are there twice; returns what to tell the client. */
export function dedupOwners(object: Tree): readonly string[] {
  const metadata = object["metadata"];
  const owners = treesAt(metadata, "ownerReferences");
  const kept: TreeNode[] = [];
  const twice: string[] = [];
  for (const owner of owners) {
    if (kept.some((other) => equalNodes(other, owner))) {
      twice.push(stringAt(owner, "uid"));
    } else {
      kept.push(owner);
    }
  }
  if (twice.length === 0 || !isTree(metadata)) {
    return [];
  }
  metadata["ownerReferences"] = kept;
  return [
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${twice.join(", ")}`,
  ];
}

/** The object must be there. Throws KubeApiError (404). */
export function requireFound<T>(found: T | undefined, resource: GroupResource, name: string): T {
  if (found === undefined) {
    throw notFoundError(resource, name);
  }
  return found;
}
