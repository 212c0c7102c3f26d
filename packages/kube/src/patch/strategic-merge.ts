import type { JsonObject } from "@weir/base";
import { mergeMaps } from "./map-merge.ts";
import { requireShallow } from "./patch-error.ts";
import type { PatchSchema } from "./patch-schema.ts";

/**
 * Applies a strategic merge patch to `live`, like an API server, and returns the result; modifies neither.
 * Without a schema, maps are merged and lists are replaced. Throws PatchError, e.g. if an item lacks its
 * merge key or a directive is unknown.
 */
export function applyStrategicMergePatch(
  live: JsonObject,
  patch: JsonObject,
  schema: PatchSchema | undefined,
): JsonObject {
  requireShallow("bad-object", live);
  requireShallow("bad-patch", patch);
  return mergeMaps(live, patch, { schema, mode: "apply" });
}
