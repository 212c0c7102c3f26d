import { MalformedFileError, MetadataNotFoundError } from "../errors.ts";
import { sopsLimits } from "../limits.ts";
import { Branch, type BranchItem, type EncryptedTree, SopsNumber, type TreeValue } from "../tree.ts";

/** The key of the metadata. */
const metadataKey = "sops";

/** Reads an encrypted JSON file. */
export function readJson(bytes: Uint8Array): EncryptedTree {
  const branch = new JsonTree(new TextDecoder().decode(bytes)).read();
  const metadata = branch.get(metadataKey);
  if (metadata === undefined || metadata === null) {
    throw new MetadataNotFoundError();
  }
  if (!(metadata instanceof Branch)) {
    throw new MalformedFileError("Error unmarshalling input json: sops isn't an object");
  }
  return { branches: [branch.without(metadataKey)], metadata };
}

const space = /[ \t\r\n]*/y;
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const word = /true|false|null/y;

/** Parses JSON and keeps the order of all keys, also of those that look like numbers, and keys that occur twice. */
class JsonTree {
  readonly #text: string;
  #at = 0;
  #nodes = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Branch {
    this.#take(space);
    if (this.#text[this.#at] !== "{") {
      throw this.#error("expected a JSON object");
    }
    const branch = this.#value(0);
    this.#take(space);
    if (this.#at < this.#text.length || !(branch instanceof Branch)) {
      throw this.#error("invalid character after top-level value");
    }
    return branch;
  }

  #value(depth: number): TreeValue {
    this.#count(depth);
    this.#take(space);
    switch (this.#text[this.#at]) {
      case "{":
        return new Branch(this.#entries("}", () => this.#member(depth)));
      case "[":
        return this.#entries("]", () => this.#value(depth + 1));
      case '"':
        return this.#string();
      default:
        return this.#wordOrNumber();
    }
  }

  #entries<T>(end: string, read: () => T): T[] {
    const entries: T[] = [];
    this.#at += 1;
    this.#take(space);
    if (this.#text[this.#at] === end) {
      this.#at += 1;
      return entries;
    }
    for (;;) {
      entries.push(read());
      this.#take(space);
      const next = this.#text[this.#at];
      this.#at += 1;
      if (next === end) {
        return entries;
      }
      if (next !== ",") {
        throw this.#error("invalid character after a value");
      }
    }
  }

  #member(depth: number): BranchItem {
    this.#take(space);
    const key = this.#string();
    this.#take(space);
    if (this.#text[this.#at] !== ":") {
      throw this.#error("invalid character after object key");
    }
    this.#at += 1;
    return { key, value: this.#value(depth + 1) };
  }

  #string(): string {
    const token = this.#take(string);
    if (token === "") {
      throw this.#error("invalid string");
    }
    const text: unknown = JSON.parse(token);
    return String(text).toWellFormed();
  }

  #wordOrNumber(): boolean | null | SopsNumber {
    const token = this.#take(word);
    if (token === "") {
      return this.#number();
    }
    return token === "null" ? null : token === "true";
  }

  /** To Go, all numbers in JSON are floats. */
  #number(): SopsNumber {
    const token = this.#take(number);
    const value = Number(token);
    if (token === "" || !Number.isFinite(value)) {
      throw this.#error("invalid character looking for beginning of value");
    }
    return new SopsNumber("float", value, token);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [token = ""] = pattern.exec(this.#text) ?? [];
    this.#at += token.length;
    return token;
  }

  #count(depth: number): void {
    this.#nodes += 1;
    if (depth > sopsLimits.depth || this.#nodes > sopsLimits.nodes) {
      throw this.#error("too many or too deeply nested values");
    }
  }

  #error(problem: string): MalformedFileError {
    return new MalformedFileError(`Error unmarshalling input json: ${problem}`);
  }
}
