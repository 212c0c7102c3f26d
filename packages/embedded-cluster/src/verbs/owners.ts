/** Field ownership around writes: what the verbs need of managed-fields/. */
import type { ApiContext } from "../api/api-context.ts";
import { timestamp } from "../api/api-context.ts";
import { emptySet, type FieldSet, setOf } from "../managed-fields/field-set.ts";
import { type Managers, printManagers } from "../managed-fields/managers.ts";
import type { TypedVersions } from "../managed-fields/ownership.ts";
import { fieldElement } from "../managed-fields/path-element.ts";
import { managersAfterUpdate } from "../managed-fields/update-managers.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { drop, ensureTree, equalNodes, type Tree, treesAt } from "../tree.ts";

/** The versions of a kind and the fields that a write to this (sub)resource cannot change. */
export function versionsOf(resource: ServedResource, subresource: string): TypedVersions {
  return { ...resource.versions, ignored: ignoredFields(resource, subresource) };
}

/** Writes the managers of an object into it. */
export function putManagers(object: Tree, managers: Managers): void {
  const metadata = ensureTree(object, "metadata");
  const printed = printManagers(managers);
  if (printed.length === 0) {
    drop(metadata, "managedFields");
  } else {
    metadata["managedFields"] = printed;
  }
}

/** An ordinary write, which makes `next` of `live`; both are in the version of the resource. */
export interface TrackedUpdate {
  readonly resource: ServedResource;
  readonly subresource: string;
  readonly live: Tree;
  readonly next: Tree;
  readonly manager: string;
}

/** Writes into the new object who manages its fields after the write. */
export function trackUpdate(context: ApiContext, update: TrackedUpdate): void {
  const { resource, subresource, live, next, manager } = update;
  const managers = managersAfterUpdate({
    versions: versionsOf(resource, subresource),
    apiVersion: resource.apiVersion,
    subresource,
    live,
    next,
    manager,
    // As the API server: those who scale are remembered without a time.
    now: subresource === "scale" ? "" : timestamp(context.clock),
  });
  putManagers(next, managers);
}

/** A write that changes nothing but the times of managers is taken for one that changes nothing. */
export function keepTimes(object: Tree, old: Tree): void {
  const managers = treesAt(object, "metadata", "managedFields");
  const before = treesAt(old, "metadata", "managedFields");
  const isSame =
    managers.length === before.length &&
    managers.every((entry, at) => equalNodes(withoutTime(entry), withoutTime(before[at] ?? {}))) &&
    equalNodes(withoutManagers(object), withoutManagers(old));
  if (isSame && managers.length > 0) {
    ensureTree(object, "metadata")["managedFields"] = before;
  }
}

function withoutTime(entry: Tree): Tree {
  return { ...entry, time: null };
}

function withoutManagers(object: Tree): Tree {
  return { ...object, metadata: { ...ensureTree(object, "metadata"), managedFields: null } };
}

/** The main resource leaves the status alone, the status subresource all else; scale sets replicas only. */
function ignoredFields(resource: ServedResource, subresource: string): FieldSet {
  if (subresource === "status") {
    const kept = [["spec"], ...(resource.rules.statusKeeps ?? [])];
    return setOf(kept.map((path) => path.map(fieldElement)));
  }
  const hasStatus = resource.subresources.has("status") && resource.rules.ownsStatus !== true;
  return hasStatus && subresource === "" ? setOf([[fieldElement("status")]]) : emptySet;
}
