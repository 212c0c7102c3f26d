import type { JsonObject } from "@weir/base";
import { mergeMaps } from "./map-merge.ts";
import { requireShallow } from "./patch-error.ts";
import type { PatchSchema } from "./patch-schema.ts";
import { diffStrategic } from "./strategic-diff.ts";
import type { ThreeWay } from "./three-way.ts";

/**
 * The strategic merge patch that `kubectl apply` sends: the differences from `current` to `modified`, and
 * deletions of what `original` (the last-applied configuration) contains and `modified` lacks. Values that
 * others wrote to `current` stay unless `modified` sets them. `{}` if there is nothing to do. Throws
 * PatchError for lists that can't be merged by their strategy.
 */
export function createThreeWayStrategicPatch(
  { original, modified, current }: ThreeWay,
  schema: PatchSchema | undefined,
): JsonObject {
  requireShallow("bad-object", original, modified, current);
  const delta = diffStrategic(current, modified, { schema, changes: true, deletions: false });
  const deletions = diffStrategic(original ?? {}, modified, { schema, changes: false, deletions: true });
  return mergeMaps(deletions, delta, { schema, mode: "combine" });
}
