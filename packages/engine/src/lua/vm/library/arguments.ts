import { printNumber } from "../number.ts";
import { errorAt, toNumber, typeOf } from "../operations.ts";
import { type LuaError, LuaFunction, LuaTable, type LuaValue, type Run } from "../value.ts";

/** The most values that a function can return, or that an unpacked list can have, as in Lua. */
export const mostValues = 8000;

/** The largest integer of 64 bits that a number can be. */
const largest = 2 ** 63 - 1024;

/** The arguments of a library function. All methods throw LuaError if an argument has another type. */
export class Arguments {
  readonly run: Run;
  readonly all: readonly LuaValue[];
  readonly #function: string;

  constructor(all: readonly LuaValue[], run: Run, name: string) {
    this.all = all;
    this.run = run;
    this.#function = name;
  }

  /** The argument at a position, from 0; it must be given, but can be nil. */
  any(at: number): LuaValue {
    if (at >= this.all.length) {
      throw this.bad(at, "value expected");
    }
    return this.all[at];
  }

  table(at: number): LuaTable {
    const value = this.all[at];
    if (value instanceof LuaTable) {
      return value;
    }
    throw this.#wrongType(at, "table");
  }

  function(at: number): LuaFunction {
    const value = this.all[at];
    if (value instanceof LuaFunction) {
      return value;
    }
    throw this.#wrongType(at, "function");
  }

  number(at: number): number {
    const number = toNumber(this.all[at], this.run);
    if (number === undefined) {
      throw this.#wrongType(at, "number");
    }
    return number;
  }

  /** A number without its fraction, within 64 bits; NaN is 0. */
  integer(at: number): number {
    const number = Math.trunc(this.number(at));
    return Math.max(-largest, Math.min(largest, number || 0));
  }

  /** Like integer, or the default if the argument is nil. */
  integerOr(at: number, otherwise: number): number {
    return this.all[at] === undefined ? otherwise : this.integer(at);
  }

  /** A text; a number counts as its text. */
  text(at: number): string {
    const value = this.all[at];
    if (typeof value === "string") {
      return value;
    }
    if (typeof value === "number") {
      return printNumber(value);
    }
    throw this.#wrongType(at, "string");
  }

  bad(at: number, problem: string): LuaError {
    return errorAt(this.run, `bad argument #${at + 1} to '${this.#function}' (${problem})`);
  }

  #wrongType(at: number, wanted: string): LuaError {
    const given = at < this.all.length ? typeOf(this.all[at]) : "no value";
    return this.bad(at, `${wanted} expected, got ${given}`);
  }
}

/** What a library function does. */
export type Native = (args: Arguments) => readonly LuaValue[];

/** Functions by name. They have no state, so that all evaluations share them. */
export type Library = readonly (readonly [string, LuaFunction])[];

/** Makes functions that scripts can call. */
export function library(functions: Readonly<Record<string, Native>>): Library {
  return Object.entries(functions).map(([name, native]) => [name, nativeFunction(name, native)]);
}

/** A new table with the functions of a library. */
export function tableOf(functions: Library): LuaTable {
  const table = new LuaTable();
  for (const [name, each] of functions) {
    table.set(name, each);
  }
  return table;
}

/** A function of a library. */
export function nativeFunction(name: string, native: Native): LuaFunction {
  return new LuaFunction((args, run) => native(new Arguments(args, run, name)));
}
