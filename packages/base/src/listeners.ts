import type { Unsubscribe } from "./unsubscribe.ts";

/** Those who want to be told of something, in the order in which they came. */
export class Listeners<Listener> {
  readonly #listeners = new Set<{ readonly listener: Listener }>();

  /** The same listener may be added twice, and is then told twice. */
  add(listener: Listener): Unsubscribe {
    const own = { listener };
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Those who are there when the walk begins; who leaves meanwhile is left out. */
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
