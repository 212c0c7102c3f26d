import { type ApiContext, timestamp } from "../api/api-context.ts";
import type { WriteOptions } from "../api/options.ts";
import { type FieldError, invalid, refuseInvalid } from "../field-errors.ts";
import type { KindRules, RuleContext } from "../resources/kind-rules.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { conflictError, outdatedMessage } from "../status-errors.ts";
import { type StoredObject, treeOf } from "../storage/stored-object.ts";
import {
  copyField,
  drop,
  ensureTree,
  equalNodes,
  numberAt,
  stringAt,
  stringsAt,
  type Tree,
} from "../tree.ts";
import { Field } from "../validate/field.ts";
import { checkChangedMetadata, checkFinalizerNames, checkNewMetadata } from "../validate/metadata.ts";
import { pathSegment } from "../validate/text-rules.ts";
import type { Written } from "./create.ts";
import { dedupOwners, keepSystemFields } from "./metadata.ts";
import { keepTimes, trackUpdate } from "./owners.ts";

/** An update of an object that is there. */
export interface Update {
  readonly resource: ServedResource;
  /** "" for the object itself. */
  readonly subresource: string;
  readonly current: StoredObject;
  readonly options: Pick<WriteOptions, "dryRun" | "fieldManager">;
}

/** Replaces an object by `next`, which is in the version of the resource. Throws KubeApiError. */
export function updateObject(context: ApiContext, update: Update, next: Tree): Written {
  const { resource, subresource, current, options } = update;
  requireUid(resource, next, current);
  const warnings = dedupOwners(next);
  const live = resource.fromStorage(treeOf(current));
  trackUpdate(context, { resource, subresource, live, next, manager: options.fieldManager });
  const written = storeChanged(context, update, resource.toStorage(next));
  return { ...written, warnings: [...warnings, ...written.warnings] };
}

/** The part of updating that server-side apply shares: from the tracked object, as it is kept, on. */
export function storeChanged(context: ApiContext, update: Update, object: Tree): Written {
  const { resource, subresource, current, options } = update;
  const rules = { cluster: context.cluster, now: timestamp(context.clock) };
  const old = treeOf(current);
  if (subresource === "") {
    resource.rules.admit?.(object, old, rules);
  }
  requireVersion(resource, object, current);
  prepare(object, old, update, rules);
  refuseInvalid(
    resource,
    current.name,
    checkChanged({ object: Field.of(object), old: Field.of(old) }, update, rules),
  );
  keepTimes(object, old);
  const warnings = resource.rules.warnings?.(object, old) ?? [];
  if (isFinalized(object, old) && resource.rules.lingers?.(object) !== true) {
    if (!options.dryRun) {
      context.store.remove(current);
    }
    // The answer is what was asked for, though only its last stored version was ever seen by others.
    return { object, stored: undefined, warnings };
  }
  if (options.dryRun || equalNodes(object, old)) {
    return { object, stored: options.dryRun ? undefined : current, warnings };
  }
  return { object, stored: context.store.put(resource.bucket, object, current), warnings };
}

function requireUid(resource: ServedResource, next: Tree, current: StoredObject): void {
  const uid = stringAt(next, "metadata", "uid");
  if (uid !== "" && uid !== current.uid) {
    const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.uid}`;
    throw conflictError(resource, current.name, why);
  }
}

/** An update made from an outdated version is refused; one that names no version takes the latest. */
function requireVersion(resource: ServedResource, object: Tree, current: StoredObject): void {
  const metadata = ensureTree(object, "metadata");
  const version = stringAt(metadata, "resourceVersion");
  if (version === "" || version === "0") {
    if (resource.rules.unconditionalUpdate === false) {
      const kind = { group: resource.group, kind: resource.resource };
      const why = "must be specified for an update";
      refuseInvalid(kind, current.name, [invalid("metadata.resourceVersion", 0, why)]);
    }
    metadata["resourceVersion"] = String(current.revision);
  } else if (version !== String(current.revision)) {
    throw conflictError(resource, current.name, outdatedMessage);
  }
}

function prepare(object: Tree, old: Tree, { resource, subresource }: Update, context: RuleContext): void {
  const { rules } = resource;
  copyField(ensureTree(old, "metadata"), ensureTree(object, "metadata"), "generation");
  if (subresource === "status") {
    prepareStatus(object, old, resource);
    rules.prepareStatus?.(object, old, context);
  } else {
    if (resource.subresources.has("status") && rules.ownsStatus !== true) {
      copyField(old, object, "status");
    }
    if (subresource !== "finalize") {
      rules.prepareUpdate?.(object, old, context);
    }
    countGeneration(object, old, rules);
  }
  keepSystemFields(object, old);
}

/** Through the status subresource only the status changes, and of the metadata what the kind lets change. */
function prepareStatus(object: Tree, old: Tree, { rules }: ServedResource): void {
  for (const field of Object.keys({ ...object, ...old })) {
    if (!["status", "metadata", "apiVersion", "kind"].includes(field)) {
      copyField(old, object, field);
    }
  }
  for (const [root = "", field] of rules.statusKeeps ?? []) {
    if (field === undefined) {
      const { managedFields, resourceVersion } = ensureTree(object, root);
      object[root] = { ...ensureTree(old, root) };
      restore(ensureTree(object, root), { managedFields, resourceVersion });
    } else {
      copyField(ensureTree(old, root), ensureTree(object, root), field);
    }
  }
}

function restore(metadata: Tree, fields: Tree): void {
  for (const field of Object.keys(fields)) {
    copyField(fields, metadata, field);
  }
}

function countGeneration(object: Tree, old: Tree, { generation }: KindRules): void {
  const before = numberAt(old, "metadata", "generation");
  if (generation?.(object, old) === true) {
    ensureTree(object, "metadata")["generation"] = (before ?? 0) + 1;
  } else if (generation === undefined && before === undefined) {
    drop(ensureTree(object, "metadata"), "generation");
  }
}

/** An object and what it was before. */
interface Change {
  readonly object: Field;
  readonly old: Field;
}

function checkChanged(
  { object, old }: Change,
  { resource, subresource }: Update,
  context: RuleContext,
): readonly FieldError[] {
  const { rules, namespaced } = resource;
  const [metadata, before] = [object.at("metadata"), old.at("metadata")];
  const changed = checkChangedMetadata(metadata, before);
  const common = [...checkNewMetadata(metadata, namespaced, pathSegment), ...changed];
  if (subresource === "status") {
    return [...common, ...(rules.checkStatus?.(object, old, context) ?? [])];
  }
  if (rules.checkWholeUpdate !== undefined) {
    return [...common, ...rules.checkWholeUpdate(object, old, context)];
  }
  return [
    ...common,
    ...(rules.check === undefined ? [] : changed),
    ...(resource.custom ? [] : checkFinalizerNames(metadata)),
    ...(rules.checkUpdate?.(object, old, context) ?? []),
    ...(rules.check?.(object, context) ?? []),
  ];
}

/** The last finalizer of an object that is to go was removed: now it goes. */
function isFinalized(object: Tree, old: Tree): boolean {
  return (
    stringAt(old, "metadata", "deletionTimestamp") !== "" &&
    (numberAt(old, "metadata", "deletionGracePeriodSeconds") ?? 0) === 0 &&
    stringsAt(object, "metadata", "finalizers").length === 0
  );
}
