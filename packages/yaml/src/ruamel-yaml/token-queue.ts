import type { Token } from "./token.ts";

/** The number of removed positions to keep before the other tokens move up. */
const slack = 64;

/** Tokens that were created but not yet removed, numbered in their order. */
export class TokenQueue {
  readonly #tokens: Token[] = [];
  /** The position of the first token. */
  #head = 0;
  #taken = 0;

  /** The number of tokens. */
  get length(): number {
    return this.#tokens.length - this.#head;
  }

  /** The number of the first token. */
  get firstNumber(): number {
    return this.#taken;
  }

  /** The number of the next token to be added. */
  get nextNumber(): number {
    return this.#taken + this.length;
  }

  /** A token by its position in the queue. */
  at(index: number): Token | undefined {
    return this.#tokens[this.#head + index];
  }

  /** The last token that was added. */
  last(): Token | undefined {
    return this.length === 0 ? undefined : this.#tokens.at(-1);
  }

  /** Adds a token at the end. */
  add(token: Token): void {
    this.#tokens.push(token);
  }

  /** Adds a token before the one with this number. */
  insert(number: number, token: Token): void {
    const place = this.#head + number - this.#taken;
    this.#tokens.push(token);
    this.#tokens.copyWithin(place + 1, place, this.#tokens.length - 1);
    this.#tokens[place] = token;
  }

  /** Removes the first token. */
  take(): void {
    this.#taken += 1;
    this.#head += 1;
    if (this.#head > slack) {
      this.#tokens.splice(0, this.#head);
      this.#head = 0;
    }
  }

  /** Removes the second token. */
  takeSecond(): void {
    this.#taken += 1;
    this.#tokens.splice(this.#head + 1, 1);
  }
}
