import type { WorkloadObject } from "./generators/objects.ts";

/** The path of the API server below which objects of that kind are. */
export function collectionOf({ apiVersion, kind, metadata }: WorkloadObject): string {
  return `/apis/${apiVersion}/namespaces/${metadata.namespace}/${kind.toLowerCase()}s`;
}
