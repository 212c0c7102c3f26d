/**
 * Decodes YAML text exactly like Go's yaml.v2. The YAML packages for Node follow YAML 1.2: they refuse files that
 * yaml.v2 accepts (a closing bracket that isn't indented more than its key), accept files that it refuses, and report
 * other errors than the ones that users know. Decoded documents are encoded again and checksummed, so the result must
 * be the same as that of Go's yaml.v2 in every detail.
 */

import { Composer } from "./composer.ts";
import { Parser } from "./parser.ts";
import { QuickReader } from "./quick-reader.ts";
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

/**
 * Reads the documents of a text one by one, each one in steps: with the quick reader, and from the first document on
 * that it leaves to the parser, with the parser.
 */
export class DocumentReader {
  readonly #source: SourceText;
  readonly #quick: QuickReader | undefined;
  #rest: ParsedDocuments | undefined;

  constructor(source: SourceText) {
    this.#source = source;
    // A text that's cut short is an error of the document where it ends.
    this.#quick = source.fault === undefined ? new QuickReader(source) : undefined;
  }

  /** The next document; undefined if there's none. Throws YamlError if it's invalid. */
  *next(): Steps<YamlDocument | undefined> {
    const found = this.#rest === undefined ? this.#quick?.next() : undefined;
    if (found === "end") {
      return undefined;
    }
    if (found !== undefined && found !== "unsure") {
      return { ...found, line: found.line + 1 };
    }
    this.#rest ??= new ParsedDocuments(this.#source, this.#quick?.place);
    return yield* this.#rest.next();
  }
}

/** Reads the documents of a text, or those from the start of a document on, with the parser. */
export class ParsedDocuments {
  readonly #composer = new Composer();
  readonly #parser: Parser;

  constructor(source: SourceText, from?: QuickReader["place"]) {
    const scanner = new Scanner(source);
    if (from !== undefined) {
      scanner.startAt(from);
    }
    this.#parser = new Parser(scanner, this.#composer);
  }

  /** The next document; undefined if there's none. Throws YamlError if it's invalid. */
  *next(): Steps<YamlDocument | undefined> {
    const isThere = yield* this.#parser.parseDocument();
    return isThere ? { ...this.#composer.take(), line: this.#parser.documentLine + 1 } : undefined;
  }
}
