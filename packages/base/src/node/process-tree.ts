import type { Clock } from "../clock.ts";
import { type EndRound, endMarked } from "./end-processes.ts";

/**
 * Processes get time to end by themselves, because a git-receive-pack that's killed halfway would leave locks upstream.
 * A transport that hangs outlives the git that started it.
 */
const rounds: readonly EndRound[] = [
  { within: 500, signal: "SIGTERM" },
  { within: 1_500, signal: "SIGKILL" },
];

/**
 * All processes that one command starts, identified by an environment variable ("NAME=value"). When git is told to end,
 * it leaves behind processes that don't end by themselves, such as a transport that hangs.
 */
export class ProcessTree implements Disposable {
  readonly #marker: string;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #ending: Promise<void> | undefined;

  /** Starts ending the processes when the signal is aborted. */
  constructor(marker: string, clock: Clock, signal: AbortSignal) {
    this.#marker = marker;
    this.#clock = clock;
    this.#signal = signal;
    signal.addEventListener("abort", this.#end, { once: true });
  }

  /** If the signal was aborted, resolves when all processes have ended. */
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
