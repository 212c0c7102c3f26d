/**
 * Parses text into manifests, like Flux v1's pkg/cluster/kubernetes/resource. A document is parsed as generic data,
 * printed again, and only then interpreted. The printed text is what's compared, checksummed, and applied.
 */

import { messageOf, quoteGo } from "@weir/base";
import {
  DocumentReader,
  finish,
  type SourceText,
  type Steps,
  type YamlDocument,
  YamlError,
} from "@weir/yaml/go-yaml";
import { DocumentError, ManifestError } from "./errors.ts";
import type { Manifest } from "./manifest.ts";
import { ManifestSum, ManifestSumError } from "./manifest-sum.ts";
import { readDocument } from "./read-document.ts";

/** The content of a file. */
export interface ParsedFile {
  /** Relative to the root of the repository. */
  readonly source: string;
  /** In the order of the file. Documents without a kind are left out, and lists are split into their items. */
  readonly manifests: readonly Manifest[];
  /** Why the file couldn't be parsed completely; what follows the manifests isn't known. */
  readonly error: ManifestError | undefined;
}

/** Parses the manifests in a file. Throws ManifestSumError. */
export function parseManifests(text: SourceText, source: string): ParsedFile {
  return finish(parseInSteps(text, source, new ManifestSum()));
}

/** Like parseManifests, but in steps and counted in a sum. */
export function* parseInSteps(text: SourceText, source: string, sum: ManifestSum): Steps<ParsedFile> {
  const manifests: Manifest[] = [];
  const reader = new DocumentReader(text);
  try {
    for (;;) {
      const document = yield* nextDocument(reader, source);
      if (document === undefined) {
        return { source, manifests, error: undefined };
      }
      const found = yield* manifestsOf(document, source);
      sum.add(found, source);
      found.forEach((manifest) => manifests.push(manifest));
      yield;
    }
  } catch (error) {
    if (error instanceof ManifestError && !(error instanceof ManifestSumError)) {
      return { source, manifests, error };
    }
    throw error;
  }
}

function* nextDocument(reader: DocumentReader, source: string): Steps<YamlDocument | undefined> {
  try {
    return yield* reader.next();
  } catch (error) {
    if (!(error instanceof YamlError)) {
      throw error;
    }
    const message = `scanning multidoc from ${quoteGo(source)}: ${error.message}`;
    throw new ManifestError(message, source, { line: error.line, cause: error });
  }
}

function* manifestsOf(document: YamlDocument, source: string): Steps<readonly Manifest[]> {
  try {
    return yield* readDocument(document, source);
  } catch (error) {
    if (!(error instanceof DocumentError || error instanceof YamlError)) {
      throw error;
    }
    const message = `parsing YAML doc from ${quoteGo(source)}: ${messageOf(error)}`;
    throw new ManifestError(message, source, { line: document.line, cause: error });
  }
}
