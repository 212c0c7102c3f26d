import type { Source } from "./source.ts";

const patterns = {
  '"': /"((?:\\[^\n]|[^"\\\n])*)"/y,
  "'": /'((?:\\[^\n]|[^'\\\n])*)'/y,
} as const;

/** Reads a quoted string with Go's escapes, which the next character begins. Throws JsonPathError. */
export function readQuoted(source: Source): string {
  const quote = source.next === '"' ? '"' : "'";
  const { position } = source;
  const text = source.match(patterns[quote]);
  if (text === undefined) {
    throw source.error("the quoted string does not end", `add ${quote}`, position);
  }
  return text.slice(1, -1).replaceAll(escape, (written, _rest, offset: number) => {
    const meaning = meaningOf(written.slice(1), quote);
    if (meaning === undefined) {
      const remedy = `use \\n, \\t, \\\\, or \\${quote}`;
      throw source.error(`${written} is not an escape`, remedy, position + 1 + offset);
    }
    return meaning;
  });
}

const escape = /\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{3}|[^])/g;

const letters: ReadonlyMap<string, string> = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
]);

function meaningOf(escaped: string, quote: string): string | undefined {
  if (escaped === quote) {
    return quote;
  }
  if (escaped.length === 1) {
    return letters.get(escaped);
  }
  const code = /^[xuU]/.test(escaped) ? Number.parseInt(escaped.slice(1), 16) : Number.parseInt(escaped, 8);
  return code > 0x10ffff ? undefined : String.fromCodePoint(code);
}
