import type { Told } from "@weir/demo";
import type { LastSyncReport } from "@weir/flux/api";

/** What was told of the sync that runs. */
export interface ProgressMemory {
  /** In how many looks, one after the other, it ran. */
  readonly looks: number;
  /** What it waits for, as it was told; "" for nothing. */
  readonly waitingFor: string;
}

/** Before any sync. */
export const noProgress: ProgressMemory = { looks: 0, waitingFor: "" };

/** Most syncs are over at once: only one that still runs at this look is worth a line. */
const longLooks = 6;

/** Tells of a sync that takes its time, and what it waits for; each once. */
export function tellProgress(
  { isRunning, waitingFor }: Pick<LastSyncReport, "isRunning" | "waitingFor">,
  before: ProgressMemory,
): { readonly told: readonly Told[]; readonly memory: ProgressMemory } {
  const memory = { looks: isRunning ? before.looks + 1 : 0, waitingFor: waitingFor.toSorted().join(", ") };
  const told: Told[] = [];
  if (memory.looks === longLooks) {
    told.push({ sign: "~", text: "fluxd has begun to sync, and is at it" });
  }
  if (memory.waitingFor !== "" && memory.waitingFor !== before.waitingFor) {
    told.push({ sign: "~", text: `the sync waits for ${memory.waitingFor}` });
  }
  return { told, memory };
}
