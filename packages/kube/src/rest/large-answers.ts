import { type Clock, kubernetesLimits } from "@weir/base";
import { Slots } from "./slots.ts";

/**
 * How long the place of an answer that was too large stays taken, in milliseconds: what was read of it must be freed
 * faster than a hostile server sends more.
 */
const pauseMs = 250;

/** Where answers that are longer than usual are read on, a few of one server at the same time. */
export class LargeAnswers {
  readonly #slots = new Slots(kubernetesLimits.largeAnswers);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reads on when there is a place. `read` tells whether it came to the end, or gave up. */
  async readOn<T extends { readonly isWhole: boolean }>(
    read: () => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    return await this.#slots.run(async () => {
      const outcome = await read();
      if (!outcome.isWhole) {
        await this.#clock.sleep(pauseMs, signal);
      }
      return outcome;
    }, signal);
  }
}
