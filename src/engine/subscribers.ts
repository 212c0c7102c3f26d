import type { Unsubscribe } from "../base/unsubscribe.ts";

/** Those who want to be told of something. */
export class Subscribers<Listener> {
  readonly #listeners = new Set<{ readonly listener: Listener }>();

  /** The same listener may subscribe twice. */
  add(listener: Listener): Unsubscribe {
    const own = { listener };
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** In the order in which they came; who leaves meanwhile is left out. */
  *[Symbol.iterator](): IterableIterator<Listener> {
    for (const { listener } of this.#listeners) {
      yield listener;
    }
  }
}
