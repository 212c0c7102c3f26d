import type { Unsubscribe } from "./unsubscribe.ts";

/** The listeners for an event, in the order in which they were added. */
export class Listeners<Listener> {
  readonly #listeners = new Set<{ readonly listener: Listener }>();

  /** If the same listener is added twice, it's called twice. */
  add(listener: Listener): Unsubscribe {
    const own = { listener };
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** The listeners at the start of the iteration; those that are removed in the meantime are skipped. */
  *[Symbol.iterator](): IterableIterator<Listener> {
    for (const own of [...this.#listeners]) {
      if (this.#listeners.has(own)) {
        yield own.listener;
      }
    }
  }
}

/** Calls each listener in turn. */
export function callAll(listeners: Listeners<() => void>): void {
  for (const listener of listeners) {
    listener();
  }
}
