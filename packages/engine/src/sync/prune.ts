import { type KubeObject, keyOf, printKey } from "@weir/kube";
import { type KeptObject, type PruneContext, pruneGuardOf } from "./guards.ts";
import { type PropagationPolicy, syncOptionsOf } from "./sync-options.ts";
import type { PruneTask } from "./task.ts";
import { mirroredWaves, waveOf } from "./waves.ts";

/** What happens to orphans. */
export interface PruneDecision {
  readonly tasks: readonly PruneTask[];
  readonly kept: readonly KeptObject[];
}

/** When orphans are pruned. */
export interface PruneOrder {
  readonly pruneLast: PruneLast;
  /** The last wave of the targets. */
  readonly lastWave: number;
  /** A wave after all other waves. */
  readonly finalWave: number;
  /** What happens to the objects that an orphan owns, unless it says so itself. */
  readonly propagation: PropagationPolicy;
  readonly helmHooks: boolean;
}

/**
 * True: orphans are pruned after everything is applied, whether or not that succeeded; "healthy": in a wave of
 * their own, after everything is applied and healthy; false: in mirrored waves.
 */
export type PruneLast = boolean | "healthy";

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
  const waves = pruned.map((live) => waveOf(live, order.helmHooks));
  const mirrored = mirroredWaves(waves);
  const finalWave = waves.reduce((last, wave) => Math.max(last, wave + 1), order.finalWave);
  return { tasks: pruned.map((live) => pruneTask(live, mirrored, { ...order, finalWave })), kept };
}

function pruneTask(
  live: KubeObject,
  mirrored: ReadonlyMap<number, number>,
  { pruneLast, lastWave, finalWave, propagation, helmHooks }: PruneOrder,
): PruneTask {
  const key = keyOf(live);
  const said = syncOptionsOf(live);
  const isFinal = said.pruneLast || pruneLast === "healthy";
  const wave = isFinal ? finalWave : pruneLast ? lastWave : (mirrored.get(waveOf(live, helmHooks)) ?? 0);
  return {
    id: printKey(key),
    key,
    phase: "Sync",
    wave,
    action: "prune",
    live,
    last: isFinal || pruneLast,
    propagation: said.prunePropagationPolicy ?? propagation,
  };
}
