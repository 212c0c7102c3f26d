import { Budget, LuaLimitError, type LuaLimits } from "./budget.ts";
import type { Chunk } from "./compile.ts";
import { createEnvironment } from "./environment.ts";
import { call } from "./operations.ts";
import { toBytes } from "./text.ts";
import { LuaTable, type LuaValue } from "./value.ts";

/** What to evaluate a script with. */
export interface Evaluation {
  /** JSON values, by the names of the global variables that get them. */
  readonly globals: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly limits: LuaLimits;
}

/**
 * Runs a script to its end, and returns its first result. Throws LuaError for an error in the script, and
 * LuaLimitError if it exceeds its limits. Nothing is left of it afterwards.
 */
export function evaluateLua(chunk: Chunk, { globals, now, limits }: Evaluation): LuaValue {
  const environment = createEnvironment();
  const run = { budget: new Budget(limits), strings: environment.strings, now, line: 1 };
  try {
    for (const [name, value] of Object.entries(globals)) {
      environment.globals.set(name, toLua(value));
    }
    return call(chunk(environment.globals, run), [], { run, name: "" })[0];
  } catch (error) {
    // The stack of the process: expressions and functions can be nested within each other. Nothing is shared between
    // evaluations, so nothing is left half done.
    throw error instanceof RangeError
      ? new LuaLimitError("it is nested too deeply", { cause: error })
      : error;
  }
}

/** A JSON value as a value of a script; null is nil. */
function toLua(value: unknown): LuaValue {
  switch (typeof value) {
    case "string":
      return toBytes(value);
    case "number":
    case "boolean":
      return value;
    case "bigint":
      return Number(value);
    case "object":
      return value === null ? undefined : toTable(value);
    default:
      return undefined;
  }
}

function toTable(value: object): LuaTable {
  const table = new LuaTable();
  if (Array.isArray(value)) {
    // A null in a list leaves no gap, as in Argo CD.
    const items = value.map(toLua).filter((item) => item !== undefined);
    items.forEach((item, at) => table.set(at + 1, item));
  } else {
    for (const [key, item] of Object.entries(value)) {
      table.set(toBytes(key), toLua(item));
    }
  }
  return table;
}
