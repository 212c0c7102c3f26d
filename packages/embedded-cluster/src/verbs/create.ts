import { KubeApiError } from "@weir/kube";
import { type ApiContext, timestamp } from "../api/api-context.ts";
import type { WriteOptions } from "../api/options.ts";
import { type FieldError, refuseInvalid } from "../field-errors.ts";
import type { RuleContext } from "../resources/kind-rules.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { alreadyExistsError, badRequestError } from "../status-errors.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { drop, ensureTree, stringAt, type Tree } from "../tree.ts";
import { Field } from "../validate/field.ts";
import { checkFinalizerNames, checkNewMetadata } from "../validate/metadata.ts";
import { dnsSubdomain, pathSegment } from "../validate/text-rules.ts";
import { dedupOwners, fillSystemFields, takeNamespace, wipeSystemFields } from "./metadata.ts";
import { requireNamespace } from "./namespaces.ts";
import { trackUpdate } from "./owners.ts";

/** What a write made: the object as it is kept, and what the client should know. */
export interface Written {
  /** In the version in which it is kept. */
  readonly object: Tree;
  /** Undefined after a dry run. */
  readonly stored: StoredObject | undefined;
  readonly warnings: readonly string[];
}

/** An object to be made. */
export interface Creation {
  readonly resource: ServedResource;
  readonly namespace: string;
  readonly object: Tree;
  readonly options: Pick<WriteOptions, "dryRun" | "fieldManager">;
}

/**
 * Makes an object, sent in the version of the resource and with its defaults. Throws KubeApiError where it is
 * refused; then nothing has changed.
 */
export function createObject(context: ApiContext, creation: Creation): Written {
  const { resource, namespace, object, options } = creation;
  wipeSystemFields(object);
  takeNamespace(object, resource.namespaced, namespace);
  const warnings = dedupOwners(object);
  const { fieldManager: manager } = options;
  trackUpdate(context, { resource, subresource: "", live: resource.codec.empty(), next: object, manager });
  const made = storeNew(context, { ...creation, object: resource.toStorage(object) });
  return { ...made, warnings: [...warnings, ...made.warnings] };
}

/** The part of creating that server-side apply shares: from the tracked object on. */
export function storeNew(context: ApiContext, { resource, namespace, object, options }: Creation): Written {
  const rules = { cluster: context.cluster, now: timestamp(context.clock) };
  requireNamespace(context, resource, { namespace, name: stringAt(object, "metadata", "name") });
  resource.rules.admit?.(object, undefined, rules);
  fillSystemFields(object, context);
  prepareNew(object, resource);
  resource.rules.prepareCreate?.(object, rules);
  const name = stringAt(object, "metadata", "name");
  refuseInvalid(resource, name, checkNew(object, resource, rules));
  requireFree(context, { resource, namespace, object, options });
  const stored = options.dryRun ? undefined : context.store.put(resource.bucket, object, undefined);
  return { object, stored, warnings: resource.rules.warnings?.(object, undefined) ?? [] };
}

/** Status is not for creators to set, and counting of generations begins. */
function prepareNew(object: Tree, resource: ServedResource): void {
  const { rules, codec } = resource;
  if (resource.subresources.has("status") && rules.ownsStatus !== true) {
    const { status } = resource.toStorage(codec.empty());
    if (status === undefined) {
      drop(object, "status");
    } else {
      object["status"] = status;
    }
  }
  const metadata = ensureTree(object, "metadata");
  if (rules.generation === undefined) {
    drop(metadata, "generation");
  } else {
    metadata["generation"] = 1;
  }
}

function checkNew(object: Tree, resource: ServedResource, context: RuleContext): readonly FieldError[] {
  const { rules, namespaced } = resource;
  const whole = Field.of(object);
  const metadata = whole.at("metadata");
  const errors = [
    ...checkNewMetadata(metadata, namespaced, rules.nameRule ?? dnsSubdomain),
    ...(resource.custom ? [] : checkFinalizerNames(metadata)),
    ...(rules.check?.(whole, context) ?? []),
  ];
  return errors.length > 0 ? errors : checkNewMetadata(metadata, namespaced, pathSegment);
}

function requireFree(context: ApiContext, { resource, object, options }: Creation): void {
  const name = stringAt(object, "metadata", "name");
  if (stringAt(object, "metadata", "resourceVersion") !== "" && !options.dryRun) {
    throw badRequestError("resourceVersion should not be set on objects to be created");
  }
  const taken = context.store.get(resource.bucket, stringAt(object, "metadata", "namespace"), name);
  if (taken === undefined) {
    return;
  }
  const error = alreadyExistsError(resource, name);
  if (taken.deleting) {
    throw new KubeApiError({ ...error.status, message: `object is being deleted: ${error.status.message}` });
  }
  throw error;
}
