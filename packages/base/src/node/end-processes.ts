import type { Clock } from "../clock.ts";
import { markedProcesses } from "./marked-processes.ts";

/** How long processes can take to end, in milliseconds, and the signal for those that are still running then. */
export interface EndRound {
  readonly within: number;
  readonly signal: NodeJS.Signals;
}

/** How often to check whether they have ended, in milliseconds. */
const lookEvery = 20;

/** How long the last ones can take after the last signal. */
const lastWait = 500;

/**
 * Waits until no process has `marker` ("NAME=value") in its environment anymore, and signals those that are still
 * running after the time of each round. Does nothing if there's no /proc.
 */
export async function endMarked(marker: string, rounds: readonly EndRound[], clock: Clock): Promise<void> {
  for (const { within, signal } of rounds) {
    if (await haveEnded(marker, within, clock)) {
      return;
    }
    signalAll(await markedProcesses(marker), signal);
  }
  await haveEnded(marker, lastWait, clock);
}

/** Signals processes, and groups by their negative IDs; those that have ended are skipped. */
export function signalAll(pids: Iterable<number>, signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended, or its group is empty.
    }
  }
}

async function haveEnded(marker: string, within: number, clock: Clock): Promise<boolean> {
  const end = clock.now() + within;
  while ((await markedProcesses(marker)).length > 0) {
    if (clock.now() >= end) {
      return false;
    }
    await clock.sleep(lookEvery);
  }
  return true;
}
