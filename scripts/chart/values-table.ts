import { isMap, isPair, isScalar, type Node, type Pair, parseDocument } from "yaml";
import { withRegion } from "../generate/region.ts";

const marks = { begin: "<!-- values: generated from values.yaml -->", end: "<!-- /values -->" };

/** The README of the chart with its table of values. */
export function withValuesTable(page: string, valuesYaml: string): string {
  const rows = valuesOf(parseDocument(valuesYaml).contents, []).map(
    ({ path, what, usual }) => `| \`${path}\` | ${what} | ${usual} |`,
  );
  return withRegion(
    page,
    marks,
    `\n| Value | Meaning | Default |\n| --- | --- | --- |\n${rows.join("\n")}\n\n`,
  );
}

interface Value {
  readonly path: string;
  readonly what: string;
  readonly usual: string;
}

/** What has a comment is a value; what has none is a section. */
function valuesOf(section: Node | null, above: readonly string[]): readonly Value[] {
  if (!isMap(section)) {
    throw new Error(`${above.join(".")} in values.yaml has no comment`);
  }
  return section.items.filter(isPair).flatMap((pair, index) => {
    const path = [...above, isScalar(pair.key) ? String(pair.key.value) : ""];
    // A comment before the first key is one of the section.
    const comment = commentOf(pair) ?? (index === 0 && above.length > 0 ? section.commentBefore : undefined);
    return comment === undefined || comment === null
      ? valuesOf(pair.value as Node | null, path)
      : [{ path: path.join("."), what: lastParagraph(comment), usual: usualOf(pair) }];
  });
}

function commentOf({ key }: Pair): string | undefined {
  return isScalar(key) ? (key.commentBefore ?? undefined) : undefined;
}

/** What stands above an empty line is about more than one value. */
function lastParagraph(comment: string): string {
  const text = comment.split(/\n\s*\n/).at(-1) ?? "";
  return text.replaceAll(/\s+/g, " ").trim().replaceAll("|", String.raw`\|`);
}

function usualOf({ value }: Pair): string {
  const usual: unknown = (value as Node | null)?.toJSON() ?? "";
  if (typeof usual === "string" && usual.includes("\n")) {
    return "see values.yaml";
  }
  return usual === "" ? "" : `\`${typeof usual === "string" ? usual : JSON.stringify(usual)}\``;
}
