import { clusterScope, partsOfResourceId, type ResourceId } from "@weir/flux";
import { checkSource, decodeYaml, YamlError, type YamlValue } from "@weir/yaml/go-yaml";
import { fieldAt, fieldOf, itemsOf, textOf } from "./fields.ts";

/** The lines of a document, counted from 1; `to` is included. */
export interface DocumentLines {
  readonly from: number;
  readonly to: number;
}

/**
 * The lines of the document that defines a resource, alone or in a list; undefined if none does. Takes a file as it is
 * in git: an encrypted one still says what it describes. Looks no further than the first error.
 */
export function locateDocument(text: string, id: ResourceId): DocumentLines | undefined {
  const lines = text.split("\n");
  const starts: number[] = [];
  let found = -1;
  try {
    for (const { value, line } of decodeYaml(checkSource(text))) {
      starts.push(line);
      if (found >= 0) {
        break;
      }
      found = defines(value, id) ? starts.length - 1 : -1;
    }
  } catch (error) {
    if (!(error instanceof YamlError)) {
      throw error;
    }
  }
  const start = starts[found];
  return start === undefined
    ? undefined
    : withoutMargins(lines, start, starts[found + 1] ?? lines.length + 1);
}

/** A namespace that isn't written is whatever the rest of the configuration makes of it. */
function defines(value: YamlValue, id: ResourceId): boolean {
  const kind = textOf(fieldOf(value, "kind"));
  if (kind.endsWith("List")) {
    return itemsOf(fieldOf(value, "items")).some((item) => defines(item, id));
  }
  const wanted = partsOfResourceId(id);
  const namespace = textOf(fieldAt(value, ["metadata", "namespace"]));
  return (
    kind.toLowerCase() === wanted.kind &&
    textOf(fieldAt(value, ["metadata", "name"])) === wanted.name &&
    (namespace === "" || namespace === wanted.namespace || wanted.namespace === clusterScope)
  );
}

/** Without separators, comments, and blank lines before and after the content; `next` is where the next document starts. */
function withoutMargins(lines: readonly string[], start: number, next: number): DocumentLines {
  const isMargin = (line: number): boolean => /^(---|\.\.\.)?\s*(#.*)?$/.test(lines[line - 1] ?? "");
  const numbers = Array.from({ length: Math.max(1, next - start) }, (_, index) => start + index);
  const from = numbers.find((line) => !isMargin(line)) ?? start;
  return { from, to: numbers.findLast((line) => !isMargin(line)) ?? from };
}
