import type { Token } from "./token.ts";

/** So many places of tokens that were taken are kept before the others move up. */
const slack = 64;

/** Tokens that were made but not yet taken. All tokens are numbered in the order in which they stand in it. */
export class TokenQueue {
  private readonly tokens: Token[] = [];
  /** Where the first of them stands. */
  private head = 0;
  private taken = 0;

  /** How many there are. */
  get length(): number {
    return this.tokens.length - this.head;
  }

  /** The number of the first token in it. */
  get firstNumber(): number {
    return this.taken;
  }

  /** The number that the next token will have that is added. */
  get nextNumber(): number {
    return this.taken + this.length;
  }

  /** A token by its place in it. */
  at(index: number): Token | undefined {
    return this.tokens[this.head + index];
  }

  /** The token that was added last. */
  last(): Token | undefined {
    return this.length === 0 ? undefined : this.tokens.at(-1);
  }

  /** Adds a token at the end. */
  add(token: Token): void {
    this.tokens.push(token);
  }

  /** Adds a token before the one with this number. */
  insert(number: number, token: Token): void {
    const place = this.head + number - this.taken;
    this.tokens.push(token);
    this.tokens.copyWithin(place + 1, place, this.tokens.length - 1);
    this.tokens[place] = token;
  }

  /** Takes the first token out. */
  take(): void {
    this.taken += 1;
    this.head += 1;
    if (this.head > slack) {
      this.tokens.splice(0, this.head);
      this.head = 0;
    }
  }

  /** Takes the second token out, from behind the first. */
  takeSecond(): void {
    this.taken += 1;
    this.tokens.splice(this.head + 1, 1);
  }
}
