import type { KubeObject, ObjectMeta } from "@weir/kube";
import { lastAppliedAnnotation } from "./last-applied.ts";

/** Metadata that the API server maintains. */
export const serverMetadata: ReadonlySet<string> = new Set([
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "selfLink",
  "uid",
]);

/**
 * An object without the fields that nobody writes in a manifest: its status, the metadata that the API server
 * maintains, and kubectl's last-applied annotation.
 */
export function shownFields(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = object;
  const others = Object.entries(object).filter(([name]) => name !== "status");
  return { ...Object.fromEntries(others), apiVersion, kind, metadata: shownMetadata(metadata) };
}

function shownMetadata({ annotations, ...metadata }: ObjectMeta): ObjectMeta {
  const own = Object.entries(metadata).filter(([name]) => !serverMetadata.has(name));
  const notes = Object.entries(annotations ?? {}).filter(([name]) => name !== lastAppliedAnnotation);
  return {
    ...Object.fromEntries(own),
    ...(notes.length === 0 ? {} : { annotations: Object.fromEntries(notes) }),
  };
}
