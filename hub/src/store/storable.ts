import { isTooDeep, type JsonValue } from "@weir/base";

/**
 * Limits for text that comes from outside, in characters. An entry of an index has at most 2,704 bytes, and a character
 * up to four.
 */
export const textLimits = {
  /** What is in an index: IDs, names, images, revisions. Kubernetes has shorter ones. */
  key: 500,
  /** A line for people. */
  line: 2_000,
  /** An error, which may be several lines of a program's output. */
  message: 16_000,
  /** One JSON value, as text. */
  json: 1_000_000,
} as const;

/**
 * Text as the database can hold it, at most so long: PostgreSQL has no NUL, and no half of a surrogate pair. Both become
 * U+FFFD.
 */
export function storable(text: string, limit: number): string {
  const cut = text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
  return cut.replaceAll("\0", "\ufffd").toWellFormed();
}

/** A text for an index. */
export function storableKey(text: string): string {
  return storable(text, textLimits.key);
}

/** A JSON value as text for a column of JSON, or null if it's too large or too deep. What PostgreSQL can't hold is replaced. */
export function storableJson(value: JsonValue): string | null {
  const text = isTooDeep(value) ? undefined : JSON.stringify(value);
  return text === undefined || text.length > textLimits.json ? null : replaceEscapes(text);
}

/** JSON.stringify escapes exactly what PostgreSQL refuses: NUL, and halves of surrogate pairs. */
function replaceEscapes(json: string): string {
  return json.replaceAll(/\\(u0000|ud[89a-f][0-9a-f]{2}|.)/g, (escape, what: string) =>
    what.length === 1 ? escape : "\\ufffd",
  );
}

/** A pattern of LIKE for what contains a text, whatever characters that has. */
export function containing(text: string): string {
  return `%${storableKey(text).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** Patterns of LIKE for what contains every word of a text, in any order. */
export function containingEach(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== "")
    .map(containing);
}
