import type { ResourceId } from "@weir/flux";
import { DocumentReader, decodeSource, finish, YamlError } from "@weir/yaml/go-yaml";
import { DocumentError } from "./errors.ts";
import { readDocument } from "./read-document.ts";

/** A document of a file, and the manifests in it: several if it's a list. */
export interface DocumentLine {
  /** Where the document starts, after its separator, counted from 1. */
  readonly line: number;
  /** As written in the file. */
  readonly ids: ReadonlySet<ResourceId>;
  readonly bytes: ReadonlySet<string>;
}

/** Where the documents of a file start, up to the first one that can't be parsed. */
export function manifestLines(content: Uint8Array, source: string): readonly DocumentLine[] {
  const found: DocumentLine[] = [];
  const lines = Buffer.from(content).toString("utf8").split("\n");
  try {
    const reader = new DocumentReader(decodeSource(content));
    for (;;) {
      const document = finish(reader.next());
      if (document === undefined) {
        return found;
      }
      const manifests = finish(readDocument(document, source));
      found.push({
        line: /^---\s*(#.*)?$/.test(lines[document.line - 1] ?? "") ? document.line + 1 : document.line,
        ids: new Set(manifests.map(({ id }) => id)),
        bytes: new Set(manifests.map((manifest) => manifest.content.bytes)),
      });
    }
  } catch (error) {
    if (error instanceof YamlError || error instanceof DocumentError) {
      return found;
    }
    throw error;
  }
}
