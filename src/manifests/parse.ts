/**
 * Text in, manifests out: Flux v1's pkg/cluster/kubernetes/resource. A document is decoded without regard to
 * what it is, written again, and only then looked at; what is written is what is compared, checksummed and
 * applied.
 */

import { messageOf } from "../base/errors.ts";
import { quoteGo } from "../base/go-quote.ts";
import { DocumentError, ManifestError } from "./errors.ts";
import type { Manifest } from "./manifest.ts";
import { readDocument } from "./read-document.ts";
import { decodeYaml, type YamlDocument } from "./yaml/decode.ts";
import { YamlError } from "./yaml/errors.ts";
import type { SourceText } from "./yaml/source-text.ts";

/** What a file holds. */
export interface ParsedFile {
  /** Relative to the root of the repository. */
  readonly source: string;
  /** In the order of the file; what has no kind is left out, lists are taken apart. */
  readonly manifests: readonly Manifest[];
  /** Why the file could not be read, or not to its end: what follows the manifests is not known. */
  readonly error: ManifestError | undefined;
}

/** Reads the manifests of a file. */
export function parseManifests(text: SourceText, source: string): ParsedFile {
  const manifests: Manifest[] = [];
  try {
    for (const document of documentsOf(text, source)) {
      manifests.push(...manifestsOf(document, source));
    }
    return { source, manifests, error: undefined };
  } catch (error) {
    if (error instanceof ManifestError) {
      return { source, manifests, error };
    }
    throw error;
  }
}

function* documentsOf(text: SourceText, source: string): Generator<YamlDocument, void> {
  try {
    yield* decodeYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) {
      throw error;
    }
    const message = `scanning multidoc from ${quoteGo(source)}: ${error.message}`;
    throw new ManifestError(message, source, { line: error.line, cause: error });
  }
}

function manifestsOf(document: YamlDocument, source: string): readonly Manifest[] {
  try {
    return readDocument(document, source);
  } catch (error) {
    if (!(error instanceof DocumentError || error instanceof YamlError)) {
      throw error;
    }
    const message = `parsing YAML doc from ${quoteGo(source)}: ${messageOf(error)}`;
    throw new ManifestError(message, source, { line: document.line, cause: error });
  }
}
