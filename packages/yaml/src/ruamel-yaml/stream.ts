import { Composer } from "./composer.ts";
import { construct } from "./construct.ts";
import type { YamlDocument } from "./document.ts";
import { writeDocument } from "./emitter.ts";
import type { EditError } from "./errors.ts";
import { Output } from "./output.ts";

/** The documents of a file; `clash` is the first place where not all comments could be kept. */
export interface YamlStream {
  readonly documents: readonly YamlDocument[];
  readonly clash: EditError | undefined;
}

/** The written text can be this many times as long as the original, plus a little more. */
const growth = 10;

/**
 * Reads all documents of a text. An empty document counts; a text with only comments has none.
 *
 * @throws EditError if the text isn't valid YAML, or can't be reproduced
 */
export function readStream(text: string): YamlStream {
  const composer = new Composer(text);
  const documents: YamlDocument[] = [];
  for (let composed = composer.next(); composed !== undefined; composed = composer.next()) {
    documents.push({ ...composed, root: construct(composed) });
  }
  return { documents, clash: composer.clash };
}

/**
 * Writes documents in ruamel.yaml's layout; `size` is the length of the original text.
 *
 * @throws EditError if comments conflict, or the text would get far larger than the original
 */
export function writeStream(documents: readonly YamlDocument[], size: number): string {
  const out = new Output(growth * size + 100_000);
  for (const document of documents) {
    writeDocument(out, document);
  }
  return out.text;
}
