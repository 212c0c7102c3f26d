import { setImmediate } from "node:timers/promises";
import { type Clock, systemClock } from "@weir/base";
import type { Steps } from "@weir/yaml/go-yaml";

/** How long work may go on while others wait, in milliseconds. */
const longestTurn = 10;

/** Divides long work into turns, so that requests are answered in between. Whoever works at the same time shares one. */
export class Turns {
  readonly #clock: Clock;
  #began: number;
  #next: Promise<void> | undefined;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.#began = clock.now();
  }

  /** Does all steps, in as many turns as they take. Rejects as they throw, or with the signal's reason between two. */
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

  /** A clock that was set back must not make a turn endless. */
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
