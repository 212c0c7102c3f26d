import { type KubeObject, keyOf, printKey } from "@weir/kube";
import { type KeptObject, type PruneContext, pruneGuardOf } from "./guards.ts";
import { syncOptionsOf } from "./sync-options.ts";
import type { PruneTask } from "./task.ts";
import { mirroredWaves, waveOf } from "./waves.ts";

/** What happens to orphans. */
export interface PruneDecision {
  readonly tasks: readonly PruneTask[];
  readonly kept: readonly KeptObject[];
}

/** When orphans are pruned. */
export interface PruneOrder {
  /** True: all orphans after everything is applied; false: in mirrored waves. */
  readonly pruneLast: boolean;
  /** The last wave of the targets. */
  readonly lastWave: number;
}

/** Decides for each orphan whether and when it's pruned. */
export function decidePrunes(
  orphans: readonly KubeObject[],
  context: PruneContext,
  order: PruneOrder,
): PruneDecision {
  const pruned: KubeObject[] = [];
  const kept: KeptObject[] = [];
  for (const live of orphans) {
    const guard = pruneGuardOf(live, context);
    if (guard === undefined) {
      pruned.push(live);
    } else {
      kept.push({ key: keyOf(live), isTarget: false, ...guard });
    }
  }
  const mirrored = mirroredWaves(pruned.map(waveOf));
  return { tasks: pruned.map((live) => pruneTask(live, mirrored, order)), kept };
}

function pruneTask(
  live: KubeObject,
  mirrored: ReadonlyMap<number, number>,
  { pruneLast, lastWave }: PruneOrder,
): PruneTask {
  const key = keyOf(live);
  const last = pruneLast || syncOptionsOf(live).pruneLast;
  const wave = last ? lastWave : (mirrored.get(waveOf(live)) ?? 0);
  return { id: printKey(key), key, phase: "Sync", wave, action: "prune", live, last };
}
