import type { Unsubscribe } from "../base/unsubscribe.ts";

/** Who wants to be called when something may have changed. */
export class Listeners {
  readonly #listeners = new Set<() => void>();

  /** Each added listener is called, also where the same function was added before. */
  add(listener: () => void): Unsubscribe {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  call(): void {
    for (const listener of [...this.#listeners]) {
      listener();
    }
  }
}
