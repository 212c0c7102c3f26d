import { Lexer, LuaSyntaxError, type Token } from "./lexer.ts";

/** How deep blocks, functions, and expressions can be nested, as in Lua. */
const deepest = 200;

/** The tokens of a script, with one token of lookahead. */
export class TokenReader {
  readonly #lexer: Lexer;
  #token: Token;
  #following: Token | undefined;
  #depth = 0;

  constructor(source: string) {
    this.#lexer = new Lexer(source);
    this.#token = this.#lexer.next();
  }

  /** The token that is read next. */
  get token(): Token {
    return this.#token;
  }

  /** The token after that. */
  peek(): Token {
    this.#following ??= this.#lexer.next();
    return this.#following;
  }

  /** Reads a token. */
  take(): Token {
    const token = this.#token;
    this.#token = this.#following ?? this.#lexer.next();
    this.#following = undefined;
    return token;
  }

  /** True if the next token is this keyword or symbol. */
  is(text: string): boolean {
    const { kind } = this.#token;
    return (kind === "keyword" || kind === "symbol") && this.#token.text === text;
  }

  /** Reads the keyword or symbol if it's next. */
  accept(text: string): boolean {
    return this.is(text) && this.take().text === text;
  }

  /** Reads the keyword or symbol. */
  expect(text: string): void {
    if (!this.accept(text)) {
      throw this.unexpected(`'${text}' expected`);
    }
  }

  /** Reads a name. */
  name(): string {
    if (this.#token.kind !== "name") {
      throw this.unexpected("<name> expected");
    }
    return this.take().text;
  }

  /** An error at the next token. */
  unexpected(problem: string): LuaSyntaxError {
    return new LuaSyntaxError(this.#token.line, `${problem} near '${this.#token.text.slice(0, 40)}'`);
  }

  /** Parses something nested; throws if that's too deep. */
  nested<T>(parse: () => T): T {
    this.#depth += 1;
    if (this.#depth > deepest) {
      throw new LuaSyntaxError(this.#token.line, "nested too deeply");
    }
    const result = parse();
    this.#depth -= 1;
    return result;
  }
}
