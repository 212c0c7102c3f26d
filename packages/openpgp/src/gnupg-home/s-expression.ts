import { MalformedError } from "../malformed-error.ts";

/** A list of atoms and lists, in which gpg-agent keeps secret keys. */
export type Expression = Uint8Array | readonly Expression[];

/** Deeper than any key. */
const deepest = 16;

/**
 * Reads an expression, in the canonical form of gpg 2.2 or in the textual one of later versions.
 * @throws MalformedError if it's in neither.
 */
export function readExpression(bytes: Uint8Array): Expression {
  return new Parser(Buffer.from(bytes)).expression(0);
}

/** The text of an atom; undefined for a list. */
export function atomText(expression: Expression | undefined): string | undefined {
  return expression instanceof Uint8Array ? Buffer.from(expression).toString("latin1") : undefined;
}

/** The first list in a list that starts with a name. */
export function listNamed(expression: Expression, name: string): readonly Expression[] | undefined {
  return expression instanceof Uint8Array
    ? undefined
    : expression.find(
        (each): each is readonly Expression[] => !(each instanceof Uint8Array) && atomText(each[0]) === name,
      );
}

const escapes: Readonly<Record<string, string>> = {
  b: "\b",
  t: "\t",
  v: "\v",
  n: "\n",
  f: "\f",
  r: "\r",
};

/** Text between quotes, in which libgcrypt writes numbers whose bytes are nearly all printable. */
function unescape(text: string): string {
  return text.replace(
    /\\(?:x([0-9A-Fa-f]{2})|([0-7]{3})|(\r\n|\n\r|[\r\n])|([^]))/g,
    (_, hexed?: string, octal?: string, lineBreak?: string, character: string = ""): string => {
      if (hexed !== undefined || octal !== undefined) {
        return String.fromCharCode(Number.parseInt(hexed ?? octal ?? "", hexed === undefined ? 8 : 16) & 255);
      }
      return lineBreak === undefined ? (escapes[character] ?? character) : "";
    },
  );
}

class Parser {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  expression(depth: number): Expression {
    if (depth > deepest) {
      throw new MalformedError("it is nested too deeply");
    }
    return this.#nextCharacter() === "(" ? this.#list(depth) : this.#atom();
  }

  #list(depth: number): readonly Expression[] {
    this.#at++;
    const items: Expression[] = [];
    while (this.#nextCharacter() !== ")") {
      items.push(this.expression(depth + 1));
    }
    this.#at++;
    return items;
  }

  #atom(): Uint8Array {
    const [counted, length] = this.#match(/^(\d{1,6}):/) ?? [];
    if (counted !== undefined) {
      return this.#take(counted.length, Number(length));
    }
    const [hexed, digits = ""] = this.#match(/^#([0-9A-Fa-f\s]*)#/) ?? [];
    if (hexed !== undefined) {
      this.#at += hexed.length;
      return Buffer.from(digits.replace(/\s/g, ""), "hex");
    }
    const [quoted, text = ""] = this.#match(/^"((?:[^"\\]|\\[^])*)"/) ?? [];
    if (quoted !== undefined) {
      this.#at += quoted.length;
      return Buffer.from(unescape(text), "latin1");
    }
    const [token] = this.#match(/^[^\s()"#]+/) ?? [];
    if (token === undefined) {
      throw new MalformedError("it isn't an expression");
    }
    this.#at += token.length;
    return Buffer.from(token, "latin1");
  }

  #take(header: number, length: number): Uint8Array {
    const start = this.#at + header;
    this.#at = start + length;
    if (this.#at > this.#bytes.length) {
      throw new MalformedError("it ends too early");
    }
    return this.#bytes.subarray(start, this.#at);
  }

  /** Numbers of keys have at most 4096 digits or so. */
  #match(pattern: RegExp): RegExpExecArray | null {
    return pattern.exec(this.#bytes.toString("latin1", this.#at, this.#at + 16_384));
  }

  /** The next character that isn't white space. */
  #nextCharacter(): string {
    for (; this.#at < this.#bytes.length; this.#at++) {
      const character = String.fromCharCode(this.#bytes[this.#at] ?? 0);
      if (character.trim() !== "") {
        return character;
      }
    }
    throw new MalformedError("it ends too early");
  }
}
