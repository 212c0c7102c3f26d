/** A script isn't valid Lua. */
export class LuaSyntaxError extends Error {
  override readonly name = "LuaSyntaxError";

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
  }
}

/** A word of a script. */
export interface Token {
  readonly kind: "name" | "keyword" | "symbol" | "string" | "number" | "end";
  /** As written; the content of a string. */
  readonly text: string;
  readonly line: number;
}

/** Lua 5.1's, and goto. */
const keywords: ReadonlySet<string> = new Set(
  (
    "and break do else elseif end false for function goto if in local nil not or repeat return then true " +
    "until while"
  ).split(" "),
);

const escapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Splits a script into tokens. Works on bytes: see LuaValue. */
export class Lexer {
  readonly #source: string;
  #at = 0;
  #line = 1;

  constructor(source: string) {
    this.#source = source;
  }

  /** The next token; throws LuaSyntaxError. */
  next(): Token {
    this.#skip();
    const line = this.#line;
    if (this.#at === this.#source.length) {
      return { kind: "end", text: "<eof>", line };
    }
    const word = this.#take(/[A-Za-z_]\w*/y);
    if (word !== undefined) {
      return { kind: keywords.has(word) ? "keyword" : "name", text: word, line };
    }
    const string = this.#string();
    if (string !== undefined) {
      return { kind: "string", text: string, line };
    }
    const number = this.#take(/(?:0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)/y);
    if (number !== undefined) {
      this.#refuse(/[\w.]/y, "malformed number");
      return { kind: "number", text: number, line };
    }
    const symbol = this.#take(/\.\.\.|\.\.|==|~=|<=|>=|::|[-+*/%^#<>=(){}[\];:,.]/y);
    if (symbol === undefined) {
      throw new LuaSyntaxError(line, "unexpected symbol");
    }
    return { kind: "symbol", text: symbol, line };
  }

  #skip(): void {
    while (this.#take(/[ \t\r\n\f\v]+/y) !== undefined || this.#comment()) {
      // Whitespace and comments may follow each other.
    }
  }

  #comment(): boolean {
    if (this.#take(/--/y) === undefined) {
      return false;
    }
    if (this.#long() === undefined) {
      this.#take(/[^\n]*/y);
    }
    return true;
  }

  #string(): string | undefined {
    const quote = this.#take(/["']/y);
    return quote === undefined ? this.#long() : this.#quoted(quote);
  }

  #quoted(quote: string): string {
    const parts: string[] = [];
    for (;;) {
      parts.push(this.#take(quote === '"' ? /[^"\\\n]+/y : /[^'\\\n]+/y) ?? "");
      if (this.#take(/["']/y) !== undefined) {
        return parts.join("");
      }
      if (this.#take(/\\/y) === undefined) {
        throw new LuaSyntaxError(this.#line, "unfinished string");
      }
      parts.push(this.#escape());
    }
  }

  #escape(): string {
    const digits = this.#take(/\d{1,3}/y);
    if (digits !== undefined) {
      if (Number(digits) > 255) {
        throw new LuaSyntaxError(this.#line, "escape sequence too large");
      }
      return String.fromCharCode(Number(digits));
    }
    const letter = this.#take(/[^]/y);
    if (letter === undefined) {
      throw new LuaSyntaxError(this.#line, "unfinished string");
    }
    return escapes[letter] ?? letter;
  }

  /** A string in long brackets, [[…]] or [=[…]=], without its first line break. */
  #long(): string | undefined {
    const open = this.#take(/\[=*\[/y);
    if (open === undefined) {
      return undefined;
    }
    const end = this.#source.indexOf(open.replaceAll("[", "]"), this.#at);
    if (end < 0) {
      throw new LuaSyntaxError(this.#line, "unfinished long string or comment");
    }
    const text = this.#source.slice(this.#at, end);
    this.#advance(end + open.length);
    return text.replace(/^\r?\n/, "");
  }

  #refuse(pattern: RegExp, problem: string): void {
    if (this.#take(pattern) !== undefined) {
      throw new LuaSyntaxError(this.#line, problem);
    }
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#source)?.[0];
    if (text !== undefined) {
      this.#advance(this.#at + text.length);
    }
    return text;
  }

  #advance(to: number): void {
    for (; this.#at < to; this.#at += 1) {
      this.#line += this.#source[this.#at] === "\n" ? 1 : 0;
    }
  }
}
