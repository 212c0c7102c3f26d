import { type Keyword, parsePath } from "./parse-path.ts";
import { Source } from "./source.ts";
import type { Part, Path, Template } from "./template.ts";

/** A range whose end hasn't been read. */
interface OpenRange {
  readonly path: Path;
  readonly position: number;
  readonly body: Part[];
}

const plainText = /[^{]+/y;

/** Parses a template of kubectl's language. Throws JsonPathError. */
export function parseTemplate(text: string): Template {
  const source = new Source(text);
  const whole: Part[] = [];
  const open: OpenRange[] = [];
  while (!source.isOver) {
    const parts = open.at(-1)?.body ?? whole;
    const plain = source.match(plainText);
    if (plain !== undefined) {
      parts.push({ kind: "text", text: plain });
      continue;
    }
    const { position } = source;
    source.take("{");
    const { path, keywords } = parsePath(source);
    if (!source.take("}")) {
      throw source.error("the brace is not closed", "add }", position);
    }
    const keyword = keywordOf(keywords, source);
    if (keyword === undefined) {
      parts.push({ kind: "print", path });
    } else if (keyword === "range") {
      open.push({ path, position, body: [] });
    } else {
      closeRange(open, whole, source, position);
    }
  }
  const [unclosed] = open;
  if (unclosed !== undefined) {
    throw source.error("the range does not end", "add {end}", unclosed.position);
  }
  return whole;
}

function closeRange(open: OpenRange[], whole: Part[], source: Source, position: number): void {
  const range = open.pop();
  if (range === undefined) {
    throw source.error("there is no range to end", "remove {end}, or begin with {range ...}", position);
  }
  (open.at(-1)?.body ?? whole).push({ kind: "range", path: range.path, body: range.body });
}

/** The keyword of an expression, if it has one. */
function keywordOf([keyword, another]: readonly Keyword[], source: Source): "range" | "end" | undefined {
  const wrong = another ?? keyword;
  if (wrong === undefined) {
    return undefined;
  }
  if (another === undefined && (wrong.word === "range" || wrong.word === "end")) {
    return wrong.word;
  }
  throw source.error(
    `unexpected ${JSON.stringify(wrong.word)}`,
    `put a dot before the name of a field, as in {.${wrong.word}}; only {range ...} and {end} have none`,
    wrong.position,
  );
}
