import { hash } from "node:crypto";

/**
 * Random numbers that depend on nothing but a name: the same name always rolls the same. A child has a name of its own,
 * so what it rolls doesn't depend on how often, or in which order, others roll.
 */
export class Dice {
  readonly #name: string;
  #rolls = 0;

  constructor(name: string | number) {
    this.#name = String(name);
  }

  /** The dice of a part, always the same for the same word. */
  of(...words: readonly (string | number)[]): Dice {
    return new Dice([this.#name, ...words].join("/"));
  }

  /** The next number from 0 up to 1. */
  roll(): number {
    this.#rolls += 1;
    return hash("sha1", `${this.#name}#${this.#rolls}`, "buffer").readUInt32BE() / 2 ** 32;
  }

  /** True with that probability. */
  chance(probability: number): boolean {
    return this.roll() < probability;
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.roll() * (most - least + 1));
  }

  /** One of the items. Throws RangeError if there is none. */
  pick<T>(items: readonly T[]): T {
    const index = this.between(0, items.length - 1);
    if (!(index in items)) {
      throw new RangeError("nothing to pick from");
    }
    return items[index] as T;
  }
}
