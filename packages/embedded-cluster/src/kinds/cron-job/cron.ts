/** Schedules of CronJobs: the five fields of cron, names, steps and the @-words. */

/** The times at which a schedule is due. */
export interface Schedule {
  /** The first moment after `after`, in milliseconds, that the schedule names; undefined where there is none soon. */
  next(after: number): number | undefined;
}

interface Fields {
  readonly minute: ReadonlySet<number>;
  readonly hour: ReadonlySet<number>;
  readonly day: ReadonlySet<number>;
  readonly month: ReadonlySet<number>;
  readonly weekday: ReadonlySet<number>;
  /** Both days and weekdays are limited: then either is enough. */
  readonly eitherDay: boolean;
}

const words: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** Reads a schedule; what is wrong with it is said as the API server's parser does. */
export function parseSchedule(text: string): Schedule | { readonly fault: string } {
  const plain = text.replace(/^(?:CRON_)?TZ=\S+\s+/, "");
  const every = /^@every (\S+)$/.exec(plain)?.[1];
  if (every !== undefined) {
    const ms = durationOf(every);
    return ms === undefined
      ? { fault: `failed to parse duration ${plain}: time: invalid duration ${JSON.stringify(every)}` }
      : { next: (after) => after + ms };
  }
  const fields = (words[plain] ?? plain).trim().split(/\s+/);
  if (plain.startsWith("@") && words[plain] === undefined) {
    return { fault: `unrecognized descriptor: ${plain}` };
  }
  if (fields.length !== 5) {
    return { fault: `expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]` };
  }
  return parseFields(fields);
}

/** A schedule in the time of a zone. Its next time is that of the offset which holds when one asks. */
export function zoned(schedule: Schedule, zone: string): Schedule {
  return {
    next: (after) => {
      const offset = offsetOf(zone, after);
      const next = schedule.next(after + offset);
      return next === undefined ? undefined : next - offset;
    },
  };
}

/** By how many milliseconds the clocks of a zone are ahead of UTC. */
function offsetOf(zone: string, time: number): number {
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(
    time,
  );
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours = "0", minutes = "0"] = /([+-])(\d+):(\d+)/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minuteMs;
}

/** True for a time zone that is known. */
export function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const ranges: readonly { readonly low: number; readonly high: number; readonly names: readonly string[] }[] =
  [
    { low: 0, high: 59, names: [] },
    { low: 0, high: 23, names: [] },
    { low: 1, high: 31, names: [] },
    { low: 1, high: 12, names: months },
    { low: 0, high: 6, names: weekdays },
  ];

function parseFields(texts: readonly string[]): Schedule | { readonly fault: string } {
  const sets: ReadonlySet<number>[] = [];
  for (const [index, range] of ranges.entries()) {
    const parsed = parseField(texts[index] ?? "", range);
    if (typeof parsed === "string") {
      return { fault: parsed };
    }
    sets.push(parsed);
  }
  const none: ReadonlySet<number> = new Set();
  const [minute = none, hour = none, day = none, month = none, weekday = none] = sets;
  const eitherDay = !/^[*?]/.test(texts[2] ?? "") && !/^[*?]/.test(texts[4] ?? "");
  const fields = { minute, hour, day, month, weekday, eitherDay };
  return { next: (after) => nextTime(fields, after) };
}

function parseField(text: string, range: (typeof ranges)[number]): ReadonlySet<number> | string {
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const fault = addPart(values, part, range);
    if (fault !== undefined) {
      return fault;
    }
  }
  return values;
}

function addPart(values: Set<number>, part: string, range: (typeof ranges)[number]): string | undefined {
  const [span = "", step = "1", ...more] = part.split("/");
  const [from = "", to, ...rest] = span.split("-");
  const isAll = from === "*" || from === "?";
  const start = isAll ? range.low : valueOf(from, range);
  const open = part.includes("/") && to === undefined;
  const end = isAll ? range.high : to === undefined ? (open ? range.high : start) : valueOf(to, range);
  const by = Number(step);
  if (more.length > 0) {
    return `too many slashes: ${part}`;
  }
  if (rest.length > 0) {
    return `too many hyphens: ${part}`;
  }
  if (start === undefined || end === undefined || !Number.isInteger(by)) {
    const bad = start === undefined ? from : end === undefined ? (to ?? "") : step;
    return `failed to parse int from ${bad}: strconv.Atoi: parsing ${JSON.stringify(bad)}: invalid syntax`;
  }
  return fill(values, { start, end, by, part }, range);
}

function fill(
  values: Set<number>,
  { start, end, by, part }: { start: number; end: number; by: number; part: string },
  { low, high }: (typeof ranges)[number],
): string | undefined {
  if (start < low) {
    return `beginning of range (${start}) below minimum (${low}): ${part}`;
  }
  if (end > high) {
    return `end of range (${end}) above maximum (${high}): ${part}`;
  }
  if (start > end) {
    return `beginning of range (${start}) beyond end of range (${end}): ${part}`;
  }
  if (by <= 0) {
    return `step of range should be a positive number: ${part}`;
  }
  for (let value = start; value <= end; value += by) {
    values.add(value);
  }
  return undefined;
}

function valueOf(text: string, { low, names }: (typeof ranges)[number]): number | undefined {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) {
    return named + low;
  }
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

const minuteMs = 60_000;

/** Four years: so long it may be to the next 29 February. */
const farthest = 4 * 366 * 24 * 60;

function nextTime(fields: Fields, after: number): number | undefined {
  let time = Math.floor(after / minuteMs) * minuteMs + minuteMs;
  for (let tries = 0; tries < farthest; tries++) {
    const date = new Date(time);
    if (!fields.month.has(date.getUTCMonth() + 1) || !isDay(fields, date)) {
      time = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1);
    } else if (!fields.hour.has(date.getUTCHours())) {
      time = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCHours() + 1);
    } else if (!fields.minute.has(date.getUTCMinutes())) {
      time += minuteMs;
    } else {
      return time;
    }
  }
  return undefined;
}

function isDay({ day, weekday, eitherDay }: Fields, date: Date): boolean {
  const isInMonth = day.has(date.getUTCDate());
  const isInWeek = weekday.has(date.getUTCDay());
  return eitherDay ? isInMonth || isInWeek : isInMonth && isInWeek;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function durationOf(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) {
    return undefined;
  }
  let total = 0;
  for (const [, amount = "0", unit = "s"] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    total += Number(amount) * (units[unit] ?? 0);
  }
  return Math.max(1000, total);
}
