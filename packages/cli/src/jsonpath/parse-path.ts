import { parseBrackets, parseFilter } from "./parse-brackets.ts";
import { readQuoted } from "./quoted.ts";
import type { Source } from "./source.ts";
import type { Path, Step } from "./template.ts";

/** A word of the template language in a path, such as range. */
export interface Keyword {
  readonly word: string;
  readonly position: number;
}

/** A path, and the words in it that aren't steps. */
export interface ParsedPath {
  readonly path: Path;
  readonly keywords: readonly Keyword[];
}

/** What ends a name. */
const name = /(?:\\[^]?|[^\\ \t\r\n.,[\]$@{}])*/y;
const word = /[^ \t\r\n.,[\]$@{}]+/y;
const number = /[+-]?[\d.]*/y;

/**
 * Reads a path up to the closing brace, which is left, or to the end of the source. Throws JsonPathError.
 */
export function parsePath(source: Source): ParsedPath {
  const path: Step[] = [];
  const keywords: Keyword[] = [];
  while (!source.isOver && source.next !== "}") {
    const { position } = source;
    if (source.take("[?(")) {
      path.push(parseFilter(source, position, parseWholePath));
    } else if (source.take("..")) {
      path.push(...parseDescent(source, path, position));
    } else if (source.take("[")) {
      path.push(...parseBrackets(source, position, parseWholePath));
    } else if (source.next === '"' || source.next === "'") {
      path.push({ kind: "text", text: readQuoted(source) });
    } else if (source.take(".")) {
      path.push(parseName(source));
    } else if (/[-+\d]/.test(source.next)) {
      path.push(parseNumber(source));
    } else if (/[\p{L}_]/u.test(source.next)) {
      const found = source.match(word) ?? "";
      if (found === "true" || found === "false") {
        path.push({ kind: "constant", value: found === "true" });
      } else {
        keywords.push({ word: found, position });
      }
    } else if (!source.take(" ") && !source.take("@") && !source.take("$")) {
      throw source.error(
        `unexpected ${JSON.stringify(source.next)}`,
        "quote text that is to be printed, and put a dot before the name of a field",
      );
    }
  }
  return { path, keywords };
}

/** Reads a path to the end of the source, in which only steps are allowed. Throws JsonPathError. */
export function parseWholePath(source: Source): Path {
  const { path, keywords } = parsePath(source);
  const [keyword] = keywords;
  if (keyword !== undefined) {
    throw source.error(
      `unexpected ${JSON.stringify(keyword.word)}`,
      `quote text, as in "${keyword.word}", and put a dot before the name of a field`,
      keyword.position,
    );
  }
  if (!source.isOver) {
    throw source.error("unexpected }", 'quote it: "}"');
  }
  return path;
}

function parseDescent(source: Source, before: Path, position: number): Path {
  if (before.at(-1)?.kind === "descend") {
    throw source.error("too many dots", "use .. once to search at any depth", position);
  }
  const descend = { kind: "descend" } as const;
  return /[\p{L}\p{Nd}_]/u.test(source.next) ? [descend, parseName(source)] : [descend];
}

function parseName(source: Source): Step {
  const written = source.match(name) ?? "";
  return written === "*" ? { kind: "children" } : { kind: "field", name: written.replaceAll("\\", "") };
}

function parseNumber(source: Source): Step {
  const { position } = source;
  const written = source.match(number) ?? "";
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(written)) {
    throw source.error(`${written} is not a number`, `quote it if it is text: "${written}"`, position);
  }
  return { kind: "constant", value: Number(written) };
}
