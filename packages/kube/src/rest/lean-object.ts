import type { KubeObject, ObjectMeta } from "../object.ts";

/**
 * An object as it is kept: without managedFields, which nobody here reads and which are often half of it. Made
 * anew rather than cut down in place, so that the engine lays it out compactly.
 */
export function leanObject(object: KubeObject): KubeObject {
  return object.metadata["managedFields"] === undefined
    ? object
    : { ...object, metadata: leanMetadata(object.metadata) };
}

/** What is kept of an object of which only the metadata matters. */
export function metadataOf(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = object;
  return { apiVersion, kind, metadata: leanMetadata(metadata) };
}

function leanMetadata(metadata: ObjectMeta): ObjectMeta {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== "managedFields"));
}
