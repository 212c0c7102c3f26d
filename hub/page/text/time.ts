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
  return write(Date.parse(time), "exact", format);
}

/** The time of day, to the minute. */
export function clockTime(time: string, format: TimeFormat = {}): string {
  return write(Date.parse(time), "clock", format);
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
  return write(time, "date", format);
}

/** What is written of a time: seconds at most. */
const forms = {
  exact: { dateStyle: "medium", timeStyle: "medium" },
  clock: { hour: "2-digit", minute: "2-digit" },
  date: { weekday: "long", day: "numeric", month: "long", year: "numeric" },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** Writes times in one form, and remembers what it has written, by the second. */
interface Writer {
  readonly format: Intl.DateTimeFormat;
  readonly written: Map<number, string>;
}

/** How many texts a writer remembers. */
const mostWritten = 1_000;

/**
 * Writers by what they were made from. Making one, and also writing, takes long, and a list that changes several times a
 * second has hundreds of times, which are mostly of the same few seconds.
 */
const writers = new Map<string, Writer>();

function write(time: number, form: keyof typeof forms, { locale, timeZone }: TimeFormat): string {
  if (Number.isNaN(time)) {
    return "Invalid Date";
  }
  const key = `${form} ${locale ?? ""} ${timeZone ?? ""}`;
  const writer: Writer = writers.get(key) ?? {
    format: new Intl.DateTimeFormat(locale, { ...forms[form], timeZone }),
    written: new Map(),
  };
  writers.set(key, writer);
  const second = Math.floor(time / 1_000);
  const known = writer.written.get(second);
  if (known !== undefined) {
    return known;
  }
  if (writer.written.size >= mostWritten) {
    writer.written.clear();
  }
  const text = writer.format.format(second * 1_000);
  writer.written.set(second, text);
  return text;
}
