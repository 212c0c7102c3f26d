/**
 * Shares equal values, so that thousands of objects of one namespace, owner, or health don't each have a copy.
 * Remembers the last values only: a value that is repeated rarely isn't worth remembering.
 */
export class Interner {
  readonly #most: number;
  readonly #known = new Map<string, unknown>();

  constructor(most = 10_000) {
    this.#most = most;
  }

  /** The same text. */
  text(text: string): string {
    return this.value("", text, text);
  }

  /** The value that was first given with that key. The same kind of value must be given with the same key. */
  value<T>(kind: string, key: string, value: T): T {
    const name = kind === "" ? key : `${kind} ${key}`;
    const known = this.#known.get(name);
    if (known !== undefined) {
      return known as T;
    }
    if (this.#known.size >= this.#most) {
      this.#known.clear();
    }
    this.#known.set(name, value);
    return value;
  }
}
