import { JsonPathError } from "./error.ts";

/** A text that is read from its beginning to its end; positions refer to the whole template. */
export class Source {
  readonly text: string;
  readonly #base: number;
  #at = 0;

  /** `base` is how many characters of the template precede the text. */
  constructor(text: string, base = 0) {
    this.text = text;
    this.#base = base;
  }

  get isOver(): boolean {
    return this.#at >= this.text.length;
  }

  /** How many characters were read. */
  get offset(): number {
    return this.#at;
  }

  /** The position in the template of the next character, counted from 1. */
  get position(): number {
    return this.#base + this.#at + 1;
  }

  /** The next character; "" at the end. */
  get next(): string {
    return this.text.slice(this.#at, this.#at + 1);
  }

  /** Reads the given text if it comes next; returns whether it did. */
  take(expected: string): boolean {
    const isNext = this.text.startsWith(expected, this.#at);
    this.#at += isNext ? expected.length : 0;
    return isNext;
  }

  /** Reads what a sticky pattern matches here; undefined if it doesn't match. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  /** A part of the text as a source of its own. */
  part(from: number, to: number): Source {
    return new Source(this.text.slice(from, to), this.#base + from);
  }

  /** The same with a dot before it; positions stay. */
  dotted(): Source {
    return new Source(`.${this.text}`, this.#base - 1);
  }

  /** An error at a position, which is the next character unless it's given. */
  error(problem: string, remedy: string, position = this.position): JsonPathError {
    return new JsonPathError(position, problem, remedy);
  }
}
