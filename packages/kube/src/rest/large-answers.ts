import { type Clock, kubernetesLimits, Slots } from "@weir/base";

/**
 * How long the slot of a response that was too large stays occupied, in milliseconds: what was read must be
 * freed faster than a hostile server sends more.
 */
const pauseMs = 250;

/** Limits how many unusually large responses of a server are read at the same time. */
export class LargeAnswers {
  readonly #slots = new Slots(kubernetesLimits.largeAnswers);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Continues reading when a slot is free. `read` returns whether it reached the end or gave up. */
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
