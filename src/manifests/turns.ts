import { setImmediate } from "node:timers/promises";
import { type Clock, systemClock } from "@weir/base";
import type { Steps } from "@weir/yaml/go-yaml";

/** How long work can continue while other work waits, in milliseconds. */
const longestTurn = 10;

/**
 * Splits long work into turns, so that requests are served in between. Work that runs at the same time shares one
 * instance.
 */
export class Turns {
  readonly #clock: Clock;
  #began: number;
  #next: Promise<void> | undefined;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.#began = clock.now();
  }

  /**
   * Runs all steps, in as many turns as they need. Rejects with their error, or between two steps with the signal's
   * reason.
   */
  async run<T>(steps: Steps<T>, signal: AbortSignal): Promise<T> {
    for (;;) {
      while (this.#isOver()) {
        await this.#end();
        signal.throwIfAborted();
      }
      const step = steps.next();
      if (step.done === true) {
        return step.value;
      }
    }
  }

  /** Before a piece of work without steps: lets other work run if this turn is over. Rejects with the signal's reason. */
  async end(signal: AbortSignal): Promise<void> {
    while (this.#isOver()) {
      await this.#end();
      signal.throwIfAborted();
    }
  }

  /** If the clock is set back, a turn must not become endless. */
  #isOver(): boolean {
    const lasted = this.#clock.now() - this.#began;
    return lasted >= longestTurn || lasted < 0;
  }

  #end(): Promise<void> {
    this.#next ??= setImmediate().then(() => {
      this.#next = undefined;
      this.#began = this.#clock.now();
    });
    return this.#next;
  }
}
