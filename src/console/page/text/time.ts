const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** How long before `now` (in milliseconds) a time in ISO 8601 was, such as `4 min ago`; times ahead are `now`. */
export function ago(time: string, now: number): string {
  const seconds = Math.floor((now - Date.parse(time)) / 1_000);
  return seconds < 5 ? "now" : `${duration(seconds)} ago`;
}

/** A duration in its largest unit, such as `3 h`. */
export function duration(seconds: number): string {
  if (seconds < minute) {
    return `${Math.floor(seconds)} s`;
  }
  if (seconds < hour) {
    return `${Math.floor(seconds / minute)} min`;
  }
  if (seconds < 2 * day) {
    return `${Math.floor(seconds / hour)} h`;
  }
  return seconds < 365 * day ? `${Math.floor(seconds / day)} d` : `${Math.floor(seconds / (365 * day))} y`;
}

/** Where and in which form times are shown; a fixed one for tests. */
export interface TimeFormat {
  /** Undefined: the browser's. */
  readonly locale?: string;
  readonly timeZone?: string;
}

/** A time to the second, with its date. */
export function exactTime(time: string, format: TimeFormat = {}): string {
  return write(Date.parse(time), { dateStyle: "medium", timeStyle: "medium" }, format);
}

/** The time of day, to the minute. */
export function clockTime(time: string, format: TimeFormat = {}): string {
  return write(Date.parse(time), { hour: "2-digit", minute: "2-digit" }, format);
}

/** The day of a time: `Today`, `Yesterday`, or its date. */
export function dayOf(time: string, now: number, format: TimeFormat = {}): string {
  const name = dateOf(Date.parse(time), format);
  if (name === dateOf(now, format)) {
    return "Today";
  }
  return name === dateOf(now - day * 1_000, format) ? "Yesterday" : name;
}

function dateOf(time: number, format: TimeFormat): string {
  return write(time, { weekday: "long", day: "numeric", month: "long", year: "numeric" }, format);
}

/** Writers by what they were made from: making one takes far longer than writing a time, and a list has hundreds. */
const writers = new Map<string, Intl.DateTimeFormat>();

function write(time: number, parts: Intl.DateTimeFormatOptions, { locale, timeZone }: TimeFormat): string {
  const key = JSON.stringify([parts, locale, timeZone]);
  const writer = writers.get(key) ?? new Intl.DateTimeFormat(locale, { ...parts, timeZone });
  writers.set(key, writer);
  return Number.isNaN(time) ? "Invalid Date" : writer.format(time);
}
