import { orAborted } from "@weir/base";

/** Limits how many logs are read at the same time. */
export class StreamSlots {
  readonly #onFull: () => void;
  readonly #waiting: (() => void)[] = [];
  #free: number;
  #wasFull = false;

  /** `onFull` is called when somebody has to wait for the first time. */
  constructor(count: number, onFull: () => void) {
    this.#free = count;
    this.#onFull = onFull;
  }

  /** Does work as soon as a slot is free. Rejects if the signal is aborted before that. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#take(signal);
    try {
      return await work();
    } finally {
      this.#giveBack();
    }
  }

  async #take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    if (!this.#wasFull) {
      this.#wasFull = true;
      this.#onFull();
    }
    const turn = Promise.withResolvers<undefined>();
    const begin = (): void => turn.resolve(undefined);
    this.#waiting.push(begin);
    try {
      await orAborted(turn.promise, signal);
    } catch (error) {
      const index = this.#waiting.indexOf(begin);
      if (index < 0) {
        // The slot was given in the same moment.
        this.#giveBack();
      } else {
        this.#waiting.splice(index, 1);
      }
      throw error;
    }
  }

  #giveBack(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#free += 1;
    } else {
      next();
    }
  }
}
