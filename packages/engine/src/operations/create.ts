import { isJsonArray, isJsonObject, type JsonValue } from "@weir/base";
import { type KubeObject, resourcePath } from "@weir/kube";
import type { Deed, OperationContext } from "./context.ts";
import type { Subject } from "./races.ts";
import { sendWrite, type WriteOptions } from "./write.ts";

/** How to create an object. */
export interface CreateOptions extends WriteOptions {
  /** The field manager that owns the object's fields. */
  readonly fieldManager: string;
}

/** Creates an object as given. Rejects with OperationError. */
export async function createObject(
  context: OperationContext,
  { resource, target }: Subject,
  { fieldManager, ...options }: CreateOptions,
): Promise<Deed> {
  const write = {
    method: "POST",
    path: resourcePath(resource, target.metadata.namespace ?? ""),
    body: withoutNulls(target),
    fieldManager,
    verb: "creating",
    objects: [target],
  } as const;
  return { change: "created", live: await sendWrite(context, write, options) };
}

/**
 * A null means "not set". kubectl removes nulls on creation too, so that creating and patching give the same
 * result.
 */
function withoutNulls(object: KubeObject): object {
  return Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, isJsonObject(value) || isJsonArray(value) ? pruned(value) : value]),
  );
}

function pruned(value: JsonValue): JsonValue {
  if (isJsonArray(value)) {
    return value.map(pruned);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(
    members.map(([name, member]) => [name, member === undefined ? null : pruned(member)]),
  );
}
