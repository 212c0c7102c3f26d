import { inOrder, isSameStage, type PlacedTask } from "./order.ts";
import type { SyncPhase, SyncTask } from "./task.ts";

/** Tasks that begin after all waves before were done, and are healthy where that matters. */
export interface Wave {
  readonly phase: SyncPhase;
  readonly wave: number;
  /** Each is done whole before the next begins; the tasks of one may be done side by side. */
  readonly stages: readonly (readonly SyncTask[])[];
}

/** Puts tasks in their order and cuts them into waves, and these into stages. */
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
