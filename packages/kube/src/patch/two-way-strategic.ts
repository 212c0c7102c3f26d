import type { JsonObject } from "@weir/base";
import { requireShallow } from "./patch-error.ts";
import type { PatchSchema } from "./patch-schema.ts";
import { diffStrategic } from "./strategic-diff.ts";

/**
 * The strategic merge patch that turns `original` into `modified`; `{}` where they are equal. Throws PatchError
 * for lists that cannot be merged as their strategy says.
 */
export function createTwoWayStrategicPatch(
  original: JsonObject,
  modified: JsonObject,
  schema: PatchSchema | undefined,
): JsonObject {
  requireShallow("bad-object", original, modified);
  return diffStrategic(original, modified, { schema, changes: true, deletions: true });
}
