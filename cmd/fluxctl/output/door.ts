import { makeVisible } from "../../../src/base/visible.ts";

const escape = "\x1b";

/**
 * The one way out for text that people read. Names, messages and errors come from manifests, git and servers: what a
 * terminal would act upon in them is shown instead. Only fluxctl's own codes pass, which are known by a key that
 * nobody outside can know.
 */
export class Door {
  readonly #mark: string;

  /** `key` is a random number of this run. */
  constructor(key: number) {
    this.#mark = `${escape}${key.toString(36)}!`;
  }

  /** An escape sequence of our own, given without its first character, such as "[31m". */
  code(sequence: string): string {
    return this.#mark + sequence;
  }

  /** The text as it may be shown. */
  pass(text: string): string {
    return text.split(this.#mark).map(makeVisible).join(escape);
  }
}
