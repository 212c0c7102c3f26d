/**
 * A time with nanoseconds: RFC 3339 in UTC, without trailing zeros in the fraction, as Go prints it. Years have four
 * digits.
 */
export type Timestamp = string & { readonly __timestamp: unique symbol };

const pattern =
  /^(\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:[.,](\d+))?(?:Z|[+-]([01]\d|2[0-4]):[0-5]\d)$/;

/** A time in the format of Timestamp, with a day that exists in every month. */
const printed =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{0,8}[1-9])?Z$/;

/** Parses an RFC 3339 time with any offset; undefined if the text isn't one. */
export function parseTimestamp(text: string): Timestamp | undefined {
  // Most times come from a cache, hundreds of thousands at a time.
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

/** The time in a Date, to the millisecond. */
export function timestampOf(date: Date): Timestamp {
  const text = date.toISOString();
  return toTimestamp(text.slice(0, -5), text.slice(-4, -1).replace(/0+$/, ""));
}

/** Compares times, the earlier one first: negative, 0, or positive. An unknown time comes first. */
export function compareTimestamps(a: Timestamp | undefined, b: Timestamp | undefined): number {
  const [x, y] = [sortable(a), sortable(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Without the "Z", a text with a longer fraction sorts after one with a shorter fraction. */
function sortable(timestamp: Timestamp | undefined): string {
  return timestamp?.slice(0, -1) ?? "";
}

function toTimestamp(seconds: string, fraction: string): Timestamp {
  return `${seconds}${fraction === "" ? "" : `.${fraction}`}Z` as Timestamp;
}

/** The offset at the end of the text in milliseconds; positive to the east of Greenwich. */
function offsetOf(text: string): number {
  if (text.endsWith("Z")) {
    return 0;
  }
  const minutes = Number(text.slice(-5, -3)) * 60 + Number(text.slice(-2));
  return (text.at(-6) === "-" ? -minutes : minutes) * 60_000;
}
