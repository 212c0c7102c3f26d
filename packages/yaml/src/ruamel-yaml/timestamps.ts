/** A time as it will be written, and its identity for comparing it with other keys. */
export interface TimeText {
  readonly text: string;
  readonly equality: string;
}

const pattern =
  /^(?<year>[0-9]{4})-(?<month>[0-9]{1,2})-(?<day>[0-9]{1,2})(?:(?:(?<t>[Tt])|[ \t]+)(?<hour>[0-9]{1,2}):(?<minute>[0-9]{2}):(?<second>[0-9]{2})(?:\.(?<fraction>[0-9]*))?(?:[ \t]*(?<zone>Z|(?<offset>[-+][0-9]{1,2})(?::(?<offsetMinutes>[0-9]{2}))?))?)?$/;

type Parts = Partial<Record<string, string>>;

/**
 * A date or time as ruamel.yaml writes it back: padded parts, a fraction of six digits, no space before the offset.
 * Undefined if it isn't one, or is impossible (a 13th month, or hour 24).
 */
export function normalizeTimestamp(source: string): TimeText | undefined {
  const parts: Parts | undefined = pattern.exec(source)?.groups;
  if (parts === undefined) {
    return undefined;
  }
  const date = printDate(parts);
  if (date === undefined || parts["hour"] === undefined) {
    return date === undefined ? undefined : { text: date, equality: `date ${date}` };
  }
  const time = printTime(parts);
  const instant = time === undefined ? undefined : instantOf(date, time, parts);
  return time === undefined || instant === undefined
    ? undefined
    : { text: joinTime(date, time, parts), equality: `time ${instant}` };
}

function joinTime(date: string, time: string, parts: Parts): string {
  const separator = parts["t"] === undefined ? " " : "T";
  const hasOffset = parts["t"] !== undefined || parts["offset"] !== undefined;
  return date + separator + time + (hasOffset ? (parts["zone"] ?? "") : "");
}

function printDate(parts: Parts): string | undefined {
  const [year, month, day] = numbers(parts, "year", "month", "day");
  const isPossible = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  return isPossible ? `${year.toString().padStart(4, "0")}-${twoDigits(month)}-${twoDigits(day)}` : undefined;
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) {
    return isLeap ? 29 : 28;
  }
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function printTime(parts: Parts): string | undefined {
  const [hour, minute, second] = numbers(parts, "hour", "minute", "second");
  const fraction = microseconds(parts["fraction"] ?? "");
  if (hour > 23 || minute > 59 || second > 59 || fraction > 999_999) {
    return undefined;
  }
  const whole = [hour, minute, second].map(twoDigits).join(":");
  return fraction === 0 ? whole : `${whole}.${fraction.toString().padStart(6, "0")}`;
}

function microseconds(fraction: string): number {
  const roundsUp = fraction.length > 6 && fraction.charAt(6) > "4";
  return Number(fraction.slice(0, 6).padEnd(6, "0")) + (roundsUp ? 1 : 0);
}

/** The time in UTC, in minutes, with the seconds as written; undefined outside the years 1 to 9999. */
function instantOf(date: string, time: string, parts: Parts): string | undefined {
  const offset = offsetMinutes(parts);
  const [seconds = ""] = time.split(":").slice(2);
  const local = Date.parse(`${date}T${time.slice(0, 5)}:00Z`);
  const utc = new Date(local - offset * 60_000);
  const year = utc.getUTCFullYear();
  return year >= 1 && year <= 9999 ? `${utc.getTime()} ${seconds}` : undefined;
}

function offsetMinutes(parts: Parts): number {
  const offset = parts["offset"];
  if (offset === undefined) {
    return 0;
  }
  const size = Math.abs(Number(offset)) * 60 + Number(parts["offsetMinutes"] ?? "0");
  return offset.startsWith("-") ? -size : size;
}

function numbers(parts: Parts, a: string, b: string, c: string): [number, number, number] {
  return [Number(parts[a]), Number(parts[b]), Number(parts[c])];
}

function twoDigits(value: number): string {
  return value.toString().padStart(2, "0");
}
