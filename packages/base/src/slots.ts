import { orAborted } from "./abort.ts";

/** Limits how many tasks run at the same time; the others wait in order. */
export class Slots {
  #free: number;
  readonly #waiting = new Set<(value: undefined) => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** How many tasks wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Runs the work when a slot is free; rejects with the signal's reason if it's aborted before. */
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
      // If the slot was assigned at the moment of the abort, pass it on.
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
