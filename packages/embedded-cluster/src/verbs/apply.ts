import type { ApiContext } from "../api/api-context.ts";
import { timestamp } from "../api/api-context.ts";
import type { WriteOptions } from "../api/options.ts";
import type { ApiRequest } from "../api/request.ts";
import { applyConfig, lastAppliedAfter } from "../managed-fields/apply-config.ts";
import { checkTyped, printFaults } from "../managed-fields/check-typed.ts";
import { conflictCauses, conflictMessage } from "../managed-fields/conflict-text.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { jsonKind } from "../schema/decode.ts";
import { applyConflictError, badRequestError, conflictError, plainError } from "../status-errors.ts";
import { type StoredObject, treeOf } from "../storage/stored-object.ts";
import { TextError } from "../text/parse-json.ts";
import { parseYaml } from "../text/parse-yaml.ts";
import { drop, ensureTree, isTree, nodeAt, stringAt, type Tree } from "../tree.ts";
import { storeNew, type Written } from "./create.ts";
import { requireName, takeNamespace, wipeSystemFields } from "./metadata.ts";
import { putManagers, versionsOf } from "./owners.ts";
import { storeChanged } from "./update.ts";

/** What is applied, and where. */
export interface Apply {
  readonly resource: ServedResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly config: Tree;
  readonly options: WriteOptions;
}

/** Reads the configuration of an apply patch. Throws KubeApiError (400). */
export async function readConfig(
  request: ApiRequest,
  { fieldValidation }: WriteOptions,
): Promise<{ readonly config: Tree; readonly warnings: readonly string[] }> {
  const { value, duplicates } = await parseConfig(request);
  if (value !== null && !isTree(value)) {
    const why = `json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`;
    throw badRequestError(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
  }
  if (fieldValidation === "Strict" && duplicates.length > 0) {
    const list = ["yaml: unmarshal errors:", ...duplicates].join("\n  ");
    throw badRequestError(`error strict decoding YAML: error converting YAML to JSON: ${list}`);
  }
  return { config: value ?? {}, warnings: fieldValidation === "Warn" ? duplicates : [] };
}

async function parseConfig(request: ApiRequest) {
  try {
    return await parseYaml(Buffer.from(request.body).toString());
  } catch (error) {
    throw error instanceof TextError
      ? badRequestError(`error decoding YAML: error converting YAML to JSON: ${error.message}`)
      : error;
  }
}

/** Merges a configuration into the live object, or makes the object. Throws KubeApiError. */
export function applyObject(context: ApiContext, apply: Apply, current: StoredObject | undefined): Written {
  const { resource, subresource, namespace, name, options } = apply;
  const next = merge(context, apply, current);
  takeNamespace(next, resource.namespaced, namespace);
  requireName(next, name);
  if (current !== undefined) {
    return storeChanged(context, { resource, subresource, current, options }, resource.toStorage(next));
  }
  const uid = stringAt(next, "metadata", "uid");
  if (uid !== "") {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflictError(resource, name, why);
  }
  wipeSystemFields(next);
  // Of an object that was deleted meanwhile: what is applied makes it anew.
  drop(ensureTree(next, "metadata"), "resourceVersion");
  return storeNew(context, { resource, namespace, object: resource.toStorage(next), options });
}

function merge(context: ApiContext, apply: Apply, current: StoredObject | undefined): Tree {
  const { resource, subresource, config, options } = apply;
  requireGood(apply);
  const live = current === undefined ? resource.codec.empty() : resource.fromStorage(treeOf(current));
  const result = applyConfig({
    versions: versionsOf(resource, subresource),
    atom: resource.codec.atom,
    apiVersion: resource.apiVersion,
    subresource,
    live,
    empty: resource.codec.empty(),
    config,
    manager: options.fieldManager,
    force: options.force,
    now: timestamp(context.clock),
  });
  if (result.kind === "conflicts") {
    throw applyConflictError(conflictCauses(result.conflicts), conflictMessage(result.conflicts));
  }
  const next = result.object === undefined ? live : complete(resource, result.object);
  putManagers(next, result.managers);
  const lastApplied = lastAppliedAfter(options.fieldManager, next, config);
  if (lastApplied !== undefined) {
    ensureTree(ensureTree(next, "metadata"), "annotations")[
      "kubectl.kubernetes.io/last-applied-configuration"
    ] = lastApplied;
  }
  return next;
}

/** A merged object in the form in which objects are kept. */
function complete(resource: ServedResource, merged: Tree): Tree {
  const { object } = resource.codec.decode(structuredClone(merged));
  resource.codec.setDefaults(object);
  return object;
}

/** As Go prints a kind: the core group is empty, but there. */
function printKind(apiVersion: string, kind: string): string {
  return `${apiVersion.includes("/") ? "" : "/"}${apiVersion}, Kind=${kind}`;
}

function requireGood({ resource, config }: Apply): void {
  const apiVersion = stringAt(config, "apiVersion");
  const kind = stringAt(config, "kind");
  if (apiVersion !== resource.apiVersion || kind !== resource.kind) {
    throw badRequestError(`invalid object type: ${printKind(apiVersion, kind)}`);
  }
  if (nodeAt(config, "metadata", "managedFields") === null) {
    drop(ensureTree(config, "metadata"), "managedFields");
  }
  if (nodeAt(config, "metadata", "managedFields") !== undefined) {
    throw badRequestError("metadata.managedFields must be nil");
  }
  const faults = checkTyped(resource.codec.atom, config);
  if (faults.length > 0) {
    const where = `${stringAt(config, "metadata", "namespace")}/${stringAt(config, "metadata", "name")}`;
    const what = `${where}; ${printKind(apiVersion, kind)}`;
    throw plainError(`failed to create typed patch object (${what}): ${printFaults(faults)}`);
  }
}
