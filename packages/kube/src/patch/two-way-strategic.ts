import type { JsonObject } from "@weir/base";
import { requireShallow } from "./patch-error.ts";
import type { PatchSchema } from "./patch-schema.ts";
import { diffStrategic } from "./strategic-diff.ts";

/**
 * The strategic merge patch that turns `original` into `modified`; `{}` if they're equal. Throws PatchError
 * for lists that can't be merged by their strategy.
 */
export function createTwoWayStrategicPatch(
  original: JsonObject,
  modified: JsonObject,
  schema: PatchSchema | undefined,
): JsonObject {
  requireShallow("bad-object", original, modified);
  return diffStrategic(original, modified, { schema, changes: true, deletions: true });
}
