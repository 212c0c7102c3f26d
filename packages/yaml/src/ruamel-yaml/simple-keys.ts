import type { Cursor, Mark } from "./cursor.ts";
import { EditError } from "./errors.ts";

/** A token that may turn out to be a key, once a `:` follows it on its line. */
export interface SimpleKey extends Mark {
  /** Of the token. */
  readonly number: number;
  /** Nothing but a key may stand there. */
  readonly required: boolean;
  readonly index: number;
}

/** A key and its `:` are at most so many characters apart. */
const longest = 1024;

/** A token that may be a key, by its number, and whether it has to be one. */
export interface PossibleKey {
  readonly number: number;
  readonly required: boolean;
}

/** The tokens that may yet be keys: one at most on each level of flow collections. */
export class SimpleKeys {
  private readonly byLevel: (SimpleKey | undefined)[] = [undefined];

  /** The first of them; a deeper flow collection begins later. */
  first(): SimpleKey | undefined {
    for (const key of this.byLevel) {
      if (key !== undefined) {
        return key;
      }
    }
    return undefined;
  }

  /** Notes that the next token may be a key. */
  save(level: number, { number, required }: PossibleKey, cursor: Cursor): void {
    this.remove(level);
    const { line, column, position, index } = cursor;
    this.byLevel[level] = { number, required, index, line, column, position };
  }

  /** Takes the key of a level, whose `:` was found. */
  take(level: number): SimpleKey | undefined {
    const key = this.byLevel[level];
    this.byLevel[level] = undefined;
    return key;
  }

  /** The token of this level is no key. */
  remove(level: number): void {
    const key = this.byLevel[level];
    if (key !== undefined) {
      this.byLevel[level] = undefined;
      rejectRequired(key);
    }
  }

  /** There are no more levels than these. */
  truncate(levels: number): void {
    if (this.byLevel.length > levels) {
      this.byLevel.length = levels;
    }
  }

  /** Removes those whose `:` cannot follow any more. */
  dropStale({ line, index }: Pick<Cursor, "line" | "index">): void {
    for (let level = 0; level < this.byLevel.length; level += 1) {
      const key = this.byLevel[level];
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
