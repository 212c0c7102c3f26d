/** Keys with the time at which they are due; the earliest comes out first. A key that is put in again moves. */
export class DelayQueue {
  readonly #due = new Map<string, number>();
  /** A binary heap of times, the earliest at its root. Entries that no longer hold are left out when they come up. */
  readonly #heap: { readonly key: string; readonly at: number }[] = [];

  /** Due at that time, unless it is due earlier already. */
  put(key: string, at: number): void {
    const before = this.#due.get(key);
    if (before === undefined || at < before) {
      this.#due.set(key, at);
      this.#push({ key, at });
    }
  }

  /** Takes a key that is due, or undefined. */
  take(now: number): string | undefined {
    const next = this.#first();
    if (next === undefined || next.at > now) {
      return undefined;
    }
    this.#pop();
    this.#due.delete(next.key);
    return next.key;
  }

  /** When the next key is due; undefined where there is none. */
  next(): number | undefined {
    return this.#first()?.at;
  }

  #first() {
    for (let root = this.#heap[0]; root !== undefined; root = this.#heap[0]) {
      if (this.#due.get(root.key) === root.at) {
        return root;
      }
      this.#pop();
    }
    return undefined;
  }

  #push(entry: { readonly key: string; readonly at: number }): void {
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) {
        return;
      }
      this.#swap(at, parent);
      at = parent;
    }
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) {
      return;
    }
    heap[0] = last;
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const least = this.#isBefore(right, left) ? right : left;
      if (!this.#isBefore(least, at)) {
        return;
      }
      this.#swap(at, least);
      at = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    return one !== undefined && (other === undefined || one.at < other.at);
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (one !== undefined && other !== undefined) {
      this.#heap[a] = other;
      this.#heap[b] = one;
    }
  }
}
