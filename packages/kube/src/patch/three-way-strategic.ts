import type { JsonObject } from "@weir/base";
import { mergeMaps } from "./map-merge.ts";
import { requireShallow } from "./patch-error.ts";
import type { PatchSchema } from "./patch-schema.ts";
import { diffStrategic } from "./strategic-diff.ts";
import type { ThreeWay } from "./three-way.ts";

/**
 * The strategic merge patch that `kubectl apply` sends: what `modified` says differently from `current`, and
 * deletions of what `original` (the last-applied configuration) had and `modified` has no more. What others
 * wrote into `current` stays, unless `modified` speaks of it. `{}` where there is nothing to do. Throws
 * PatchError for lists that cannot be merged as their strategy says.
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
