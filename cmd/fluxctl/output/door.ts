import { makeVisible } from "@weir/base";

const escape = "\x1b";

/**
 * Sanitizes text that people read. Names, messages, and errors come from manifests, git, and servers: control
 * characters in them are made visible. Only fluxctl's own codes pass; they contain a key that nobody else can
 * know.
 */
export class Door {
  readonly #makeKey: () => number;
  #mark: string | undefined;

  /** `makeKey` returns a random number for this run; it's called once, and only if fluxctl uses codes. */
  constructor(makeKey: () => number) {
    this.#makeKey = makeKey;
  }

  /** One of fluxctl's own escape sequences, without its first character, such as "[31m". */
  code(sequence: string): string {
    this.#mark ??= `${escape}${this.#makeKey().toString(36)}!`;
    return this.#mark + sequence;
  }

  /** The sanitized text. */
  pass(text: string): string {
    const pieces = this.#mark === undefined ? [text] : text.split(this.#mark);
    return pieces.map(makeVisible).join(escape);
  }
}
