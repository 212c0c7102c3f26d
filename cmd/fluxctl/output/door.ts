import { makeVisible } from "@weir/base";

const escape = "\x1b";

/**
 * The one way out for text that people read. Names, messages and errors come from manifests, git and servers: what a
 * terminal would act upon in them is shown instead. Only fluxctl's own codes pass, which are known by a key that
 * nobody outside can know.
 */
export class Door {
  readonly #makeKey: () => number;
  #mark: string | undefined;

  /** `makeKey` gives a random number of this run; it is asked once, and only if there are codes of our own. */
  constructor(makeKey: () => number) {
    this.#makeKey = makeKey;
  }

  /** An escape sequence of our own, given without its first character, such as "[31m". */
  code(sequence: string): string {
    this.#mark ??= `${escape}${this.#makeKey().toString(36)}!`;
    return this.#mark + sequence;
  }

  /** The text as it may be shown. */
  pass(text: string): string {
    const pieces = this.#mark === undefined ? [text] : text.split(this.#mark);
    return pieces.map(makeVisible).join(escape);
  }
}
