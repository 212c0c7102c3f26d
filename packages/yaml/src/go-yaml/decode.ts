/**
 * Decodes YAML text exactly like Go's yaml.v2. The YAML packages for Node follow YAML 1.2: they refuse files that
 * yaml.v2 accepts (a closing bracket that isn't indented more than its key), accept files that it refuses, and report
 * other errors than the ones that users know. Decoded documents are encoded again and checksummed, so the result must
 * be the same as that of Go's yaml.v2 in every detail.
 */

import { Composer } from "./composer.ts";
import { Parser } from "./parser.ts";
import { Scanner } from "./scanner.ts";
import type { SourceText } from "./source-text.ts";
import { finish, type Steps } from "./steps.ts";
import type { YamlValue } from "./value.ts";

/** A document in a text. */
export interface YamlDocument {
  readonly value: YamlValue;
  /** The value is plain JSON: only strings as keys, no numbers that JSON doesn't have, and not too deeply nested. */
  readonly isJson: boolean;
  /** The line where it starts, counted from 1. */
  readonly line: number;
}

/**
 * The documents of a text, one after another, as Go's yaml.v2 2.4.0 decodes them without a type. Throws YamlError for
 * the first invalid one, after returning those before it.
 */
export function* decodeYaml(source: SourceText): Generator<YamlDocument, void> {
  const reader = new DocumentReader(source);
  for (let document = finish(reader.next()); document !== undefined; document = finish(reader.next())) {
    yield document;
  }
}

/** Reads the documents of a text one by one, each one in steps. */
export class DocumentReader {
  readonly #composer = new Composer();
  readonly #parser: Parser;

  constructor(source: SourceText) {
    this.#parser = new Parser(new Scanner(source), this.#composer);
  }

  /** The next document; undefined if there's none. Throws YamlError if it's invalid. */
  *next(): Steps<YamlDocument | undefined> {
    const isThere = yield* this.#parser.parseDocument();
    return isThere ? { ...this.#composer.take(), line: this.#parser.documentLine + 1 } : undefined;
  }
}
