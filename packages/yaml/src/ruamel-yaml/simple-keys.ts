import type { Cursor, Mark } from "./cursor.ts";
import { EditError } from "./errors.ts";

/** A token that may turn out to be a key if a `:` follows on its line. */
export interface SimpleKey extends Mark {
  /** The number of the token. */
  readonly number: number;
  /** Nothing but a key is allowed here. */
  readonly required: boolean;
  readonly index: number;
}

/** The maximum number of characters between the start of a key and its `:`. */
const longest = 1024;

/** A token that may be a key, by its number, and whether it must be one. */
export interface PossibleKey {
  readonly number: number;
  readonly required: boolean;
}

/** The tokens that may still turn out to be keys: at most one for each level of flow collections. */
export class SimpleKeys {
  readonly #byLevel: (SimpleKey | undefined)[] = [undefined];

  /** The first of them; deeper flow collections start later. */
  first(): SimpleKey | undefined {
    for (const key of this.#byLevel) {
      if (key !== undefined) {
        return key;
      }
    }
    return undefined;
  }

  /** Records that the next token may be a key. */
  save(level: number, { number, required }: PossibleKey, cursor: Cursor): void {
    this.remove(level);
    const { line, column, position, index } = cursor;
    this.#byLevel[level] = { number, required, index, line, column, position };
  }

  /** Removes and returns the key of a level, whose `:` was found. */
  take(level: number): SimpleKey | undefined {
    const key = this.#byLevel[level];
    this.#byLevel[level] = undefined;
    return key;
  }

  /** The token of this level isn't a key. */
  remove(level: number): void {
    const key = this.#byLevel[level];
    if (key !== undefined) {
      this.#byLevel[level] = undefined;
      rejectRequired(key);
    }
  }

  /** Drops all deeper levels. */
  truncate(levels: number): void {
    if (this.#byLevel.length > levels) {
      this.#byLevel.length = levels;
    }
  }

  /** Removes those whose `:` can't follow anymore. */
  dropStale({ line, index }: Pick<Cursor, "line" | "index">): void {
    for (let level = 0; level < this.#byLevel.length; level += 1) {
      const key = this.#byLevel[level];
      if (key !== undefined && (key.line !== line || index - key.index > longest)) {
        this.remove(level);
      }
    }
  }
}

function rejectRequired({ required, line }: SimpleKey): void {
  if (required) {
    throw new EditError("a ':' is missing after a key", line + 1);
  }
}
