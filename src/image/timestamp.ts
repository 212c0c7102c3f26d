/**
 * A moment to the nanosecond: RFC 3339 in UTC, the trailing zeros of its fraction cut, as Go prints it. Years
 * have four digits.
 */
export type Timestamp = string & { readonly __timestamp: unique symbol };

const pattern =
  /^(\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:[.,](\d+))?(?:Z|[+-]([01]\d|2[0-4]):[0-5]\d)$/;

/** A moment as it is printed here, on a day that every month has. */
const printed =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{0,8}[1-9])?Z$/;

/** Reads a time in RFC 3339 with any offset; undefined where the text is none. */
export function parseTimestamp(text: string): Timestamp | undefined {
  // What is read most comes from a cache, hundreds of thousands at a time.
  if (printed.test(text)) {
    return text as Timestamp;
  }
  const match = pattern.exec(text);
  if (!match) {
    return undefined;
  }
  const [, local = "", , fraction = ""] = match;
  const milliseconds = Date.parse(`${local}Z`);
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(local)) {
    return undefined;
  }
  const utc = new Date(milliseconds - offsetOf(text)).toISOString();
  const digits = fraction.slice(0, 9).replace(/0+$/, "");
  return /^\d{4}-/.test(utc) ? toTimestamp(utc.slice(0, 19), digits) : undefined;
}

/** The moment that a Date holds, to the millisecond. */
export function timestampOf(date: Date): Timestamp {
  const text = date.toISOString();
  return toTimestamp(text.slice(0, -5), text.slice(-4, -1).replace(/0+$/, ""));
}

/** Orders moments, the earlier one first: negative, 0 or positive. One that is not known comes first. */
export function compareTimestamps(a: Timestamp | undefined, b: Timestamp | undefined): number {
  const [x, y] = [sortable(a), sortable(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Without the "Z", a text with a longer fraction sorts behind one with a shorter. */
function sortable(timestamp: Timestamp | undefined): string {
  return timestamp?.slice(0, -1) ?? "";
}

function toTimestamp(seconds: string, fraction: string): Timestamp {
  return `${seconds}${fraction === "" ? "" : `.${fraction}`}Z` as Timestamp;
}

/** The offset at the end of the text in milliseconds, east of Greenwich positive. */
function offsetOf(text: string): number {
  if (text.endsWith("Z")) {
    return 0;
  }
  const minutes = Number(text.slice(-5, -3)) * 60 + Number(text.slice(-2));
  return (text.at(-6) === "-" ? -minutes : minutes) * 60_000;
}
