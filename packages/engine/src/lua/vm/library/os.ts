import { LuaTable, type LuaValue } from "../value.ts";
import { type Arguments, library } from "./arguments.ts";

/** `os`, with nothing but the time. */
export const osLibrary = library({
  date: (args) => [date(args, args.run.now)],
  time: (args) => [args.all[0] === undefined ? Math.floor(args.run.now / 1000) : timeOf(args)],
});

/** The seconds since the epoch at a local time. Fields may be out of range, such as a month 13. */
function timeOf(args: Arguments): number {
  const table = args.table(0);
  const field = (name: string, otherwise: number): number => {
    const value = table.get(name);
    return typeof value === "string" || typeof value === "number" ? Number(value) : otherwise;
  };
  const [year, month, day] = [field("year", -1), field("month", -1), field("day", -1)];
  const date = new Date(year, month - 1, day, field("hour", 12), field("min", 0), field("sec", 0));
  if (Number.isNaN(date.getTime())) {
    throw args.bad(0, "not a time");
  }
  return Math.floor(date.getTime() / 1000);
}

/** A time as text or as a table; a format that begins with ! is for UTC. */
function date(args: Arguments, now: number): LuaValue {
  const given = args.all[0] === undefined ? "%c" : args.text(0);
  const ms = args.all[1] === undefined ? now : args.number(1) * 1000;
  const isUtc = given.startsWith("!");
  const format = isUtc ? given.slice(1) : given;
  const parts = partsOf(new Date(ms), isUtc);
  if (Number.isNaN(parts.year)) {
    throw args.bad(1, "not a time");
  }
  if (format.startsWith("*t")) {
    return toTable(parts, args);
  }
  args.run.budget.step(format.length);
  args.run.budget.allocate(8 * format.length);
  return format.replace(/%(.)/g, (whole, letter: string) => conversions[letter]?.(parts) ?? whole);
}

interface Parts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly min: number;
  readonly sec: number;
  /** 1 is Sunday. */
  readonly wday: number;
  readonly yday: number;
  /** Minutes east of UTC. */
  readonly zone: number;
}

function partsOf(date: Date, isUtc: boolean): Parts {
  const zone = isUtc ? 0 : -date.getTimezoneOffset();
  // The local time, as if it were UTC.
  const local = new Date(date.getTime() + zone * 60_000);
  const year = local.getUTCFullYear();
  return {
    year,
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    min: local.getUTCMinutes(),
    sec: local.getUTCSeconds(),
    wday: local.getUTCDay() + 1,
    yday: Math.floor((local.getTime() - Date.UTC(year, 0, 1)) / 86_400_000) + 1,
    zone,
  };
}

function toTable(parts: Parts, args: Arguments): LuaTable {
  const table = new LuaTable(args.run.budget);
  for (const name of ["year", "month", "day", "hour", "min", "sec", "wday", "yday"] as const) {
    table.set(name, parts[name], args.run.budget);
  }
  table.set("isdst", false, args.run.budget);
  return table;
}

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

const conversions: Readonly<Record<string, (parts: Parts) => string>> = {
  a: ({ wday }) => nameIn(days, wday).slice(0, 3),
  A: ({ wday }) => nameIn(days, wday),
  b: ({ month }) => nameIn(months, month).slice(0, 3),
  B: ({ month }) => nameIn(months, month),
  c: (parts) => print("%a %b %d %H:%M:%S %Y", parts),
  d: ({ day }) => digits(day),
  F: (parts) => print("%Y-%m-%d", parts),
  H: ({ hour }) => digits(hour),
  I: ({ hour }) => digits(hour % 12 === 0 ? 12 : hour % 12),
  j: ({ yday }) => digits(yday, 3),
  m: ({ month }) => digits(month),
  M: ({ min }) => digits(min),
  p: ({ hour }) => (hour < 12 ? "AM" : "PM"),
  S: ({ sec }) => digits(sec),
  w: ({ wday }) => String(wday - 1),
  x: (parts) => print("%m/%d/%y", parts),
  X: (parts) => print("%H:%M:%S", parts),
  y: ({ year }) => digits(year % 100),
  Y: ({ year }) => String(year),
  z: ({ zone }) =>
    `${zone < 0 ? "-" : "+"}${digits(Math.floor(Math.abs(zone) / 60))}${digits(Math.abs(zone) % 60)}`,
  Z: ({ zone }) => (zone === 0 ? "UTC" : ""),
  "%": () => "%",
};

function print(format: string, parts: Parts): string {
  return format.replace(/%(.)/g, (_, letter: string) => conversions[letter]?.(parts) ?? "");
}

function digits(number: number, count = 2): string {
  return String(number).padStart(count, "0");
}

function nameIn(names: readonly string[], number: number): string {
  return names[number - 1] ?? "";
}
