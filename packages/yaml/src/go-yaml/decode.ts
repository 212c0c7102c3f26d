/**
 * YAML text in, values out, byte for byte as Go's yaml.v2 sees them. The YAML packages of the Node world follow
 * YAML 1.2: they refuse files that it reads (a closing bracket no deeper than its key), take others that it refuses,
 * and say other things of errors that users know. What is decoded here is encoded again and checksummed, so it
 * has to be what Go's yaml.v2 makes of it, in every corner.
 */

import { Composer } from "./composer.ts";
import { Parser } from "./parser.ts";
import { Scanner } from "./scanner.ts";
import type { SourceText } from "./source-text.ts";
import { finish, type Steps } from "./steps.ts";
import type { YamlValue } from "./value.ts";

/** A document of a text. */
export interface YamlDocument {
  readonly value: YamlValue;
  /** The value is JSON as it stands: no keys but strings, no numbers that JSON lacks, not too deep. */
  readonly isJson: boolean;
  /** The line on which it begins, counted from 1. */
  readonly line: number;
}

/**
 * The documents of a text, one after the other, as Go's yaml.v2 2.4.0 decodes them without knowing a type. Throws
 * YamlError at the first that cannot be read; those before it have been given by then.
 */
export function* decodeYaml(source: SourceText): Generator<YamlDocument, void> {
  const reader = new DocumentReader(source);
  for (let document = finish(reader.next()); document !== undefined; document = finish(reader.next())) {
    yield document;
  }
}

/** Gives the documents of a text one by one, each step by step. */
export class DocumentReader {
  readonly #composer = new Composer();
  readonly #parser: Parser;

  constructor(source: SourceText) {
    this.#parser = new Parser(new Scanner(source), this.#composer);
  }

  /** The next document; undefined where there is none. Throws YamlError where it cannot be read. */
  *next(): Steps<YamlDocument | undefined> {
    const isThere = yield* this.#parser.parseDocument();
    return isThere ? { ...this.#composer.take(), line: this.#parser.documentLine + 1 } : undefined;
  }
}
