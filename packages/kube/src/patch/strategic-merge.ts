import type { JsonObject } from "@weir/base";
import { mergeMaps } from "./map-merge.ts";
import { requireShallow } from "./patch-error.ts";
import type { PatchSchema } from "./patch-schema.ts";

/**
 * The object that results from a strategic merge patch on `live`, as an API server computes it; neither is
 * changed. Without a schema maps are merged and lists replaced. Throws PatchError, e.g. where an item lacks its
 * merge key or a directive is not known.
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
