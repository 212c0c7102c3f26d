import { type Clock, systemClock } from "../base/clock.ts";
import { markedProcesses } from "../base/node/marked-processes.ts";

/** How long processes may take to end by themselves, in milliseconds, and what is done to them then. */
const rounds = [
  { within: 500, signal: "SIGTERM" },
  { within: 1_500, signal: "SIGKILL" },
] as const;

/** How often it is looked whether they have ended, in milliseconds. */
const lookEvery = 20;

/**
 * All processes that one command starts, known by a variable in their environment ("NAME=value"). A git that
 * is told to end leaves behind what does not end by itself, such as a transport that hangs.
 */
export class ProcessTree implements Disposable {
  readonly #marker: string;
  readonly #signal: AbortSignal;
  #ending: Promise<void> | undefined;

  /** Begins to end the processes when the signal is aborted. */
  constructor(marker: string, signal: AbortSignal) {
    this.#marker = marker;
    this.#signal = signal;
    signal.addEventListener("abort", this.#end, { once: true });
  }

  /** Where the signal was aborted: resolves when all processes are gone. */
  async gone(): Promise<void> {
    await this.#ending;
  }

  [Symbol.dispose](): void {
    this.#signal.removeEventListener("abort", this.#end);
  }

  readonly #end = (): void => {
    this.#ending = endProcesses(this.#marker, systemClock);
  };
}

/**
 * Waits until no process has `marker` ("NAME=value") in its environment any more, and ends those that do not
 * end by themselves: a transport that hangs outlives the git that started it. They have time, since a
 * git-receive-pack that is killed half way would leave locks upstream. Does nothing where there is no /proc.
 */
async function endProcesses(marker: string, clock: Clock): Promise<void> {
  for (const { within, signal } of rounds) {
    if (await haveEnded(marker, clock, within)) {
      return;
    }
    for (const pid of await markedProcesses(marker)) {
      kill(pid, signal);
    }
  }
  await haveEnded(marker, clock, 500);
}

async function haveEnded(marker: string, clock: Clock, within: number): Promise<boolean> {
  const end = clock.now() + within;
  while ((await markedProcesses(marker)).length > 0) {
    if (clock.now() >= end) {
      return false;
    }
    await clock.sleep(lookEvery);
  }
  return true;
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
