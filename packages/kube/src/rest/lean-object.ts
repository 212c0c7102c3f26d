import type { KubeObject, ObjectMeta } from "../object.ts";

/**
 * An object as it's stored: without managedFields, which nothing here reads and which are often half of the
 * object. Creates a new object instead of deleting the field, so that the JavaScript engine stores it
 * compactly.
 */
export function leanObject(object: KubeObject): KubeObject {
  return object.metadata["managedFields"] === undefined
    ? object
    : { ...object, metadata: leanMetadata(object.metadata) };
}

/** Metadata without managedFields. */
export function leanMetadata(metadata: ObjectMeta): ObjectMeta {
  const { managedFields, ...lean } = metadata;
  return managedFields === undefined ? metadata : lean;
}
