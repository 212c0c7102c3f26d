/**
 * Reads a time as in a file with allowed signers: `20240131`, `202401312359`, or `20240131235959`, in local time, or with
 * `Z` or `UTC` after it, in UTC. Returns seconds since 1970; undefined if it isn't such a time, or not after 1970.
 */
export function parseTimestamp(text: string): number | undefined {
  const [, digits, zone] = /^(.*?)(z|utc)?$/is.exec(text) ?? [];
  const fields = digits === undefined ? undefined : readFields(digits);
  if (fields === undefined) {
    return undefined;
  }
  const { year, month, day, hour, minute, second } = fields;
  const time =
    zone === undefined
      ? new Date(year, month - 1, day, hour, minute, second).getTime()
      : Date.UTC(year, month - 1, day, hour, minute, second);
  const seconds = time / 1000;
  return year >= 1970 && seconds > 0 ? seconds : undefined;
}

interface Fields {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

function readFields(digits: string): Fields | undefined {
  if (!/^(?:\d{8}|\d{12}|\d{14})$/.test(digits)) {
    return undefined;
  }
  const number = (start: number, end: number): number => Number(digits.slice(start, end));
  const fields = {
    year: number(0, 4),
    month: number(4, 6),
    day: number(6, 8),
    hour: number(8, 10),
    minute: number(10, 12),
    second: number(12, 14),
  };
  const { month, day, hour, minute, second } = fields;
  const possible =
    month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 23 && minute <= 59 && second <= 61;
  return possible ? fields : undefined;
}
