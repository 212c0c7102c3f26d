import { printNumber } from "../number.ts";
import { call, charactersPerStep, errorAt, isLess, isTrue } from "../operations.ts";
import type { LuaValue } from "../value.ts";
import { type Arguments, library } from "./arguments.ts";

/** `table`: functions for lists. */
export const tableLibrary = library({
  concat: (args) => [concat(args)],
  getn: (args) => [args.table(0).length],
  insert: (args) => {
    insert(args);
    return [];
  },
  maxn: (args) => [largestKey(args)],
  remove: (args) => {
    const list = args.table(0);
    const at = args.integerOr(1, list.length);
    const isListed = at >= 1 && at <= list.length;
    return isListed ? [list.remove(at, args.run.budget)] : [];
  },
  sort: (args) => {
    sort(args);
    return [];
  },
});

function concat(args: Arguments): string {
  const list = args.table(0);
  const separator = args.all[1] === undefined ? "" : args.text(1);
  const from = args.integerOr(2, 1);
  const to = args.integerOr(3, list.length);
  const { budget } = args.run;
  const parts: string[] = [];
  for (let at = from; at <= to; at += 1) {
    const value = list.get(at);
    if (typeof value !== "string" && typeof value !== "number") {
      throw errorAt(args.run, `invalid value at index ${at} in table for 'concat'`);
    }
    const text = typeof value === "number" ? printNumber(value) : value;
    budget.step(1 + text.length / charactersPerStep);
    budget.allocate(text.length + separator.length);
    parts.push(text);
  }
  return parts.join(separator);
}

function insert(args: Arguments): void {
  const list = args.table(0);
  const end = list.length + 1;
  if (args.all.length === 2) {
    list.set(end, args.all[1], args.run.budget);
    return;
  }
  if (args.all.length !== 3) {
    throw errorAt(args.run, "wrong number of arguments to 'insert'");
  }
  const at = args.integer(1);
  if (at >= 1 && at < end) {
    list.insert(at, args.all[2], args.run.budget);
  } else {
    list.set(at, args.all[2], args.run.budget);
  }
}

function largestKey(args: Arguments): number {
  const { budget } = args.run;
  const table = args.table(0);
  let largest = 0;
  for (let field = table.next(undefined, budget); field !== undefined; field = table.next(field[0], budget)) {
    largest = typeof field[0] === "number" ? Math.max(largest, field[0]) : largest;
  }
  return largest;
}

/** Sorts in place. An order that contradicts itself gives any order, but ends. */
function sort(args: Arguments): void {
  const list = args.table(0);
  const { run } = args;
  const before = args.all[1] === undefined ? undefined : args.function(1);
  const isBefore = (a: LuaValue, b: LuaValue): boolean => {
    run.budget.step();
    return before === undefined ? isLess(a, b, run) : isTrue(call(before, [a, b], { run, name: "" })[0]);
  };
  run.budget.step(list.length);
  // A copy, because the order is given by the script, which could change the table meanwhile. Array.sort puts undefined
  // last without asking, so values are wrapped.
  const sorted = list.list().map((value) => ({ value }));
  sorted.sort((a, b) => (isBefore(a.value, b.value) ? -1 : Number(isBefore(b.value, a.value))));
  sorted.forEach(({ value }, at) => list.set(at + 1, value, run.budget));
}
