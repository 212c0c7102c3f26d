import { type ApiContext, timestamp } from "../api/api-context.ts";
import { checkDryRun, readBoolean, readInteger } from "../api/options.ts";
import type { ApiRequest } from "../api/request.ts";
import { type FieldError, invalid, notSupported, refuseInvalid } from "../field-errors.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { conflictError, forbiddenError, plainError, unregisteredMessage } from "../status-errors.ts";
import { type StoredObject, treeOf } from "../storage/stored-object.ts";
import {
  drop,
  ensureTree,
  isTree,
  nodeAt,
  numberAt,
  stringAt,
  stringsAt,
  type Tree,
  type TreeNode,
} from "../tree.ts";
import { readText } from "./read-body.ts";

/** How an object is to go. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly propagation: "Orphan" | "Background" | "Foreground" | undefined;
  /** Answered with 202 where the old orphanDependents: false is asked and the object is not gone at once. */
  readonly oldStyleCascade: boolean;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

/** What became of it. */
export interface Deleted {
  /** The object as it is now, or was last, in the version in which it is kept. */
  readonly object: Tree;
  readonly gone: boolean;
}

/** Reads the options of a deletion from the body or, where there is none, the query. Throws KubeApiError. */
export async function readDeleteOptions(request: ApiRequest): Promise<DeleteOptions> {
  const body = request.body.length === 0 ? undefined : await readBody(request);
  const options = isTree(body) ? body : fromQuery(request.query);
  const dryRun = stringsAt(options, "dryRun");
  const propagation = nodeAt(options, "propagationPolicy");
  const orphan = nodeAt(options, "orphanDependents");
  refuseInvalid({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", [
    ...checkPropagation(propagation, orphan),
    ...checkDryRun(dryRun),
  ]);
  return {
    dryRun: dryRun.length > 0,
    gracePeriodSeconds: numberAt(options, "gracePeriodSeconds"),
    propagation: propagationOf(propagation, orphan),
    oldStyleCascade: orphan === false,
    uid: textOf(nodeAt(options, "preconditions", "uid")),
    resourceVersion: textOf(nodeAt(options, "preconditions", "resourceVersion")),
  };
}

/** What cannot be read has no code of its own here, as in the API server. */
async function readBody(request: ApiRequest): Promise<TreeNode> {
  const { value } = await readText(request, "DeleteOptions", plainError);
  const kind = stringAt(value, "kind");
  if (kind !== "" && kind !== "DeleteOptions") {
    throw plainError(unregisteredMessage(stringAt(value, "apiVersion"), kind));
  }
  return value;
}

/** An object to be removed. */
export interface Deletion {
  readonly resource: ServedResource;
  readonly current: StoredObject;
  readonly options: DeleteOptions;
}

/** Removes an object, or marks it as going where it has finalizers or grace. Throws KubeApiError (403, 409). */
export function deleteObject(context: ApiContext, deletion: Deletion): Deleted {
  const { resource, current, options } = deletion;
  requireDeletable(resource, current);
  requirePreconditions(resource, current, options);
  const old = treeOf(current);
  if (resource.rules.lingers?.(old) === true) {
    return linger(context, deletion);
  }
  const grace = gracePeriodOf(resource, old, options);
  if (grace.kind === "pending") {
    return { object: old, gone: false };
  }
  const next = structuredClone(old);
  if (grace.kind === "graceful") {
    markGraceful(context, next, grace.seconds);
  }
  setFinalizers(next, finalizersFor(resource, old, options));
  const hasFinalizers = stringsAt(next, "metadata", "finalizers").length > 0;
  if (!hasFinalizers && grace.kind === "none") {
    return { object: options.dryRun ? old : treeOf(context.store.remove(current)), gone: true };
  }
  if (!hasFinalizers && grace.kind === "graceful" && grace.seconds === 0) {
    return { object: options.dryRun ? next : removeMarked(context, next, old, current), gone: true };
  }
  if (grace.kind === "none") {
    markGoing(context, next);
  }
  return { object: options.dryRun ? next : treeOf(putChanged(context, next, old, current)), gone: false };
}

/** The first deletion marks the object, later ones change nothing. */
function linger(context: ApiContext, { resource, current, options }: Deletion): Deleted {
  const next = treeOf(current);
  const metadata = ensureTree(next, "metadata");
  if (metadata["deletionTimestamp"] === undefined) {
    metadata["deletionTimestamp"] = timestamp(context.clock);
    resource.rules.markDeleted?.(next);
    setFinalizers(next, finalizersFor(resource, next, options));
    return {
      object: options.dryRun ? next : treeOf(context.store.put(current.bucket, next, current)),
      gone: false,
    };
  }
  return { object: next, gone: false };
}

/** As the API server: who has no grace left is seen to be marked before it goes. */
function removeMarked(context: ApiContext, next: Tree, old: Tree, current: StoredObject): Tree {
  return treeOf(context.store.remove(putChanged(context, next, old, current)));
}

function putChanged(context: ApiContext, next: Tree, old: Tree, current: StoredObject): StoredObject {
  const isSame = JSON.stringify(next) === JSON.stringify(old);
  return isSame ? current : context.store.put(current.bucket, next, current);
}

const immortal = new Set(["default", "kube-system", "kube-public"]);

function requireDeletable(resource: ServedResource, { bucket, name }: StoredObject): void {
  if (bucket === "namespaces" && immortal.has(name)) {
    throw forbiddenError(resource, name, "this namespace may not be deleted");
  }
}

function requirePreconditions(
  { group, kind }: ServedResource,
  { name, uid, revision }: StoredObject,
  options: DeleteOptions,
): void {
  if (options.uid !== undefined && options.uid !== uid) {
    const why = `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw conflictError({ group, resource: kind }, name, why);
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== String(revision)) {
    const why = `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${revision}). The object might have been modified`;
    throw conflictError({ group, resource: kind }, name, why);
  }
}

type Grace =
  | { readonly kind: "none" }
  | { readonly kind: "pending" }
  | { readonly kind: "graceful"; readonly seconds: number };

/** Whether the object may take its time, is at it already, or goes at once. */
function gracePeriodOf({ rules }: ServedResource, object: Tree, options: DeleteOptions): Grace {
  const asked = options.gracePeriodSeconds;
  if (rules.gracePeriod === undefined) {
    return { kind: "none" };
  }
  if (stringAt(object, "metadata", "deletionTimestamp") === "") {
    const seconds = rules.gracePeriod(object, asked === undefined ? undefined : atLeastOne(asked));
    return seconds === undefined ? { kind: "none" } : { kind: "graceful", seconds };
  }
  const left = numberAt(object, "metadata", "deletionGracePeriodSeconds") ?? 0;
  if (left === 0) {
    return { kind: "none" };
  }
  // A running deletion can only be made shorter.
  return asked === undefined || asked >= left
    ? { kind: "pending" }
    : { kind: "graceful", seconds: atLeastOne(asked) };
}

/** As the API server: a negative period means one second. */
function atLeastOne(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

function markGraceful(context: ApiContext, object: Tree, seconds: number): void {
  const metadata = ensureTree(object, "metadata");
  const generation = numberAt(metadata, "generation") ?? 0;
  if (metadata["deletionTimestamp"] === undefined && generation > 0) {
    metadata["generation"] = generation + 1;
  }
  metadata["deletionTimestamp"] = timestamp(context.clock, seconds);
  metadata["deletionGracePeriodSeconds"] = seconds;
}

/** Sets the deletion timestamp: from now on the object only waits for its finalizers. */
function markGoing(context: ApiContext, object: Tree): void {
  const metadata = ensureTree(object, "metadata");
  const generation = numberAt(metadata, "generation") ?? 0;
  if (metadata["deletionTimestamp"] === undefined) {
    metadata["deletionTimestamp"] = timestamp(context.clock);
    if (generation > 0) {
      metadata["generation"] = generation + 1;
    }
  }
  metadata["deletionGracePeriodSeconds"] = 0;
}

const orphan = "orphan";
const foreground = "foregroundDeletion";

/** The finalizers that the object has from now on: its own, and the one by which dependents are dealt with. */
function finalizersFor({ rules }: ServedResource, object: Tree, options: DeleteOptions): readonly string[] {
  const before = stringsAt(object, "metadata", "finalizers");
  const own = before.filter((name) => name !== orphan && name !== foreground);
  if (rules.dependents === "unsupported") {
    return own;
  }
  switch (options.propagation ?? inherited(before, rules.dependents)) {
    case "Orphan":
      return [...own, orphan];
    case "Foreground":
      return [...own, foreground];
    default:
      return own;
  }
}

function inherited(
  finalizers: readonly string[],
  dependents: ServedResource["rules"]["dependents"],
): DeleteOptions["propagation"] {
  const known = finalizers.find((name) => name === orphan || name === foreground);
  if (known !== undefined) {
    return known === orphan ? "Orphan" : "Foreground";
  }
  return dependents === "orphan" ? "Orphan" : "Background";
}

function setFinalizers(object: Tree, finalizers: readonly string[]): void {
  const metadata = ensureTree(object, "metadata");
  if (finalizers.length === 0) {
    drop(metadata, "finalizers");
  } else {
    metadata["finalizers"] = [...finalizers];
  }
}

function fromQuery(query: URLSearchParams): Tree {
  const grace = readInteger(query, "gracePeriodSeconds");
  const orphanDependents = readBoolean(query, "orphanDependents");
  const propagation = query.get("propagationPolicy");
  return {
    dryRun: query.getAll("dryRun"),
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagation === null ? {} : { propagationPolicy: propagation }),
  };
}

const policies = ["Foreground", "Background", "Orphan"];

function checkPropagation(propagation: Tree[string], orphanDependents: Tree[string]): readonly FieldError[] {
  const errors: FieldError[] = [];
  const isSet = propagation !== undefined && propagation !== null;
  if (isSet && typeof orphanDependents === "boolean") {
    const why = "orphanDependents and deletionPropagation cannot be both set";
    errors.push(invalid("propagationPolicy", propagation, why));
  }
  if (isSet && (typeof propagation !== "string" || !policies.includes(propagation))) {
    errors.push(notSupported("propagationPolicy", propagation, [...policies, "nil"]));
  }
  return errors;
}

function propagationOf(
  propagation: Tree[string],
  orphanDependents: Tree[string],
): DeleteOptions["propagation"] {
  if (typeof orphanDependents === "boolean") {
    return orphanDependents ? "Orphan" : "Background";
  }
  return propagation === "Orphan" || propagation === "Background" || propagation === "Foreground"
    ? propagation
    : undefined;
}

function textOf(node: Tree[string]): string | undefined {
  return typeof node === "string" ? node : undefined;
}
