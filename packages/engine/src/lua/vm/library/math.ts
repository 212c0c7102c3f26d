import type { LuaTable } from "../value.ts";
import { type Arguments, library, tableOf } from "./arguments.ts";

const functions = library({
  abs: (args) => [Math.abs(args.number(0))],
  ceil: (args) => [Math.ceil(args.number(0))],
  exp: (args) => [Math.exp(args.number(0))],
  floor: (args) => [Math.floor(args.number(0))],
  fmod: (args) => [args.number(0) % args.number(1)],
  log: (args) => [Math.log(args.number(0))],
  log10: (args) => [Math.log10(args.number(0))],
  max: (args) => [numbersOf(args).reduce((a, b) => Math.max(a, b))],
  min: (args) => [numbersOf(args).reduce((a, b) => Math.min(a, b))],
  modf: (args) => {
    const number = args.number(0);
    return [Math.trunc(number), Number.isFinite(number) ? number % 1 : 0];
  },
  pow: (args) => [args.number(0) ** args.number(1)],
  sqrt: (args) => [Math.sqrt(args.number(0))],
});

/** A new `math`, without trigonometry and random numbers. */
export function mathTable(): LuaTable {
  const table = tableOf(functions);
  table.set("huge", Infinity);
  table.set("pi", Math.PI);
  return table;
}

/** All arguments; at least one. */
function numbersOf(args: Arguments): readonly number[] {
  args.number(0);
  return args.all.map((_, at) => args.number(at));
}
