import { inOrder, isSameStage, type PlacedTask } from "./order.ts";
import type { SyncPhase, SyncTask } from "./task.ts";

/** Tasks that begin after all earlier waves are done and, where required, healthy. */
export interface Wave {
  readonly phase: SyncPhase;
  readonly wave: number;
  /** Each stage finishes before the next one begins; the tasks of a stage can run in parallel. */
  readonly stages: readonly (readonly SyncTask[])[];
}

/** Sorts tasks and splits them into waves, and waves into stages. */
export function inWaves(tasks: readonly SyncTask[]): readonly Wave[] {
  const waves: { phase: SyncPhase; wave: number; stages: SyncTask[][] }[] = [];
  let before: PlacedTask | undefined;
  for (const placed of inOrder(tasks)) {
    const { phase, wave } = placed.task;
    const last = waves.at(-1);
    if (last === undefined || last.phase !== phase || last.wave !== wave) {
      waves.push({ phase, wave, stages: [[placed.task]] });
    } else if (before !== undefined && isSameStage(before, placed)) {
      last.stages.at(-1)?.push(placed.task);
    } else {
      last.stages.push([placed.task]);
    }
    before = placed;
  }
  return waves;
}
