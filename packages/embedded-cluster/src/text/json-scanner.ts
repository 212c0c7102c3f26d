/**
 * The slow and exact reader of JSON: asked only after JSON.parse has failed, or where a body is known to hold
 * a key twice. It says what is wrong in the words of Go's decoder, which clients of Kubernetes know.
 */

/** What the scanner found: the fault of a text that is no JSON, or the keys that stand in it twice. */
export interface JsonScan {
  readonly fault?: string;
  /** Paths as Go's strict decoder names them, e.g. "spec.ports[0].name". */
  readonly duplicates: readonly string[];
}

/** Reads a text to the end or to its first fault. */
export function scanJson(text: string): JsonScan {
  const scanner = new Scanner(text);
  try {
    scanner.document();
    return { duplicates: scanner.duplicates };
  } catch (error) {
    if (error instanceof Fault) {
      return { fault: error.message, duplicates: [] };
    }
    throw error;
  }
}

class Fault extends Error {
  override readonly name = "Fault";
}

const escapes = /[bfnrt\\/"]/;
const hex = /[0-9a-fA-F]/;
const digit = /[0-9]/;

class Scanner {
  readonly duplicates: string[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value("");
    this.#space();
    if (this.#at < this.#text.length) {
      throw this.#unexpected("after top-level value");
    }
  }

  #value(path: string): void {
    this.#space();
    const start = this.#peek();
    if (start === "{") {
      this.#object(path);
    } else if (start === "[") {
      this.#array(path);
    } else if (start === '"') {
      this.#string();
    } else if (start === "-" || digit.test(start)) {
      this.#number();
    } else {
      this.#literal(start);
    }
  }

  #object(path: string): void {
    const keys = new Set<string>();
    this.#at++;
    this.#space();
    if (this.#peek() === "}") {
      this.#at++;
      return;
    }
    for (;;) {
      this.#space();
      if (this.#peek() !== '"') {
        throw this.#unexpected("looking for beginning of object key string");
      }
      const key = this.#string();
      const inner = path === "" ? key : `${path}.${key}`;
      if (keys.has(key)) {
        this.duplicates.push(inner);
      }
      keys.add(key);
      this.#space();
      if (this.#peek() !== ":") {
        throw this.#unexpected("after object key");
      }
      this.#at++;
      this.#value(inner);
      if (this.#ends("}", "after object key:value pair")) {
        return;
      }
    }
  }

  #array(path: string): void {
    this.#at++;
    this.#space();
    if (this.#peek() === "]") {
      this.#at++;
      return;
    }
    for (let index = 0; ; index++) {
      this.#value(`${path}[${index}]`);
      if (this.#ends("]", "after array element")) {
        return;
      }
    }
  }

  /** After an item: true at the closing bracket, false at a comma. */
  #ends(bracket: string, where: string): boolean {
    this.#space();
    const next = this.#peek();
    if (next !== bracket && next !== ",") {
      throw this.#unexpected(where);
    }
    this.#at++;
    return next === bracket;
  }

  #string(): string {
    const start = this.#at++;
    for (let next = this.#peek(); next !== '"'; next = this.#peek()) {
      if (next < " ") {
        throw this.#unexpected("in string literal");
      }
      this.#at++;
      if (next === "\\") {
        this.#escape();
      }
    }
    this.#at++;
    return String(JSON.parse(this.#text.slice(start, this.#at)));
  }

  #escape(): void {
    const next = this.#peek();
    if (next === "u") {
      this.#at++;
      for (let count = 0; count < 4; count++) {
        this.#expect(hex, "in \\u hexadecimal character escape");
      }
    } else if (escapes.test(next)) {
      this.#at++;
    } else {
      throw this.#unexpected("in string escape code");
    }
  }

  #number(): void {
    if (this.#peek() === "-") {
      this.#at++;
    }
    const first = this.#peek();
    this.#expect(digit, "in numeric literal");
    if (first !== "0") {
      this.#digits();
    }
    if (this.#text[this.#at] === ".") {
      this.#at++;
      this.#expect(digit, "after decimal point in numeric literal");
      this.#digits();
    }
    if (/[eE]/.test(this.#text[this.#at] ?? "")) {
      this.#at++;
      if (/[+-]/.test(this.#peek())) {
        this.#at++;
      }
      this.#expect(digit, "in exponent of numeric literal");
      this.#digits();
    }
  }

  #digits(): void {
    while (digit.test(this.#text[this.#at] ?? "")) {
      this.#at++;
    }
  }

  #literal(start: string): void {
    const word = ["true", "false", "null"].find((candidate) => candidate.startsWith(start));
    if (word === undefined) {
      throw this.#unexpected("looking for beginning of value");
    }
    this.#at++;
    for (const letter of word.slice(1)) {
      if (this.#peek() !== letter) {
        throw this.#unexpected(`in literal ${word} (expecting '${letter}')`);
      }
      this.#at++;
    }
  }

  #expect(allowed: RegExp, where: string): void {
    if (!allowed.test(this.#peek())) {
      throw this.#unexpected(where);
    }
    this.#at++;
  }

  #space(): void {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? "")) {
      this.#at++;
    }
  }

  #peek(): string {
    const next = this.#text[this.#at];
    if (next === undefined) {
      throw new Fault("unexpected end of JSON input");
    }
    return next;
  }

  #unexpected(where: string): Fault {
    const next = this.#peek();
    const shown = next === "'" ? "'\\''" : next === '"' ? "'\"'" : `'${JSON.stringify(next).slice(1, -1)}'`;
    return new Fault(`invalid character ${shown} ${where}`);
  }
}
