import { orAborted } from "@weir/base";

/** So many at once, the others wait in the order they came. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<(value: undefined) => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Does the work as soon as there is a place; rejects with the signal's reason where it is aborted before. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#take(signal);
    try {
      return await work();
    } finally {
      this.#giveBack();
    }
  }

  async #take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#waiting.add(resolve);
    try {
      await orAborted(promise, signal);
    } catch (error) {
      // Where the place was given in the very moment of the abort, the next one gets it.
      if (!this.#waiting.delete(resolve)) {
        this.#giveBack();
      }
      throw error;
    }
  }

  #giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next(undefined);
  }
}
