import type { Clock } from "../clock.ts";
import { type EndRound, endMarked } from "./end-processes.ts";

/**
 * Processes have time to end by themselves, since a git-receive-pack that is killed half way would leave locks
 * upstream; a transport that hangs outlives the git that started it.
 */
const rounds: readonly EndRound[] = [
  { within: 500, signal: "SIGTERM" },
  { within: 1_500, signal: "SIGKILL" },
];

/**
 * All processes that one command starts, known by a variable in their environment ("NAME=value"). A git that
 * is told to end leaves behind what does not end by itself, such as a transport that hangs.
 */
export class ProcessTree implements Disposable {
  readonly #marker: string;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #ending: Promise<void> | undefined;

  /** Begins to end the processes when the signal is aborted. */
  constructor(marker: string, clock: Clock, signal: AbortSignal) {
    this.#marker = marker;
    this.#clock = clock;
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
    this.#ending = endMarked(this.#marker, rounds, this.#clock);
  };
}
