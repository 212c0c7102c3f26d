import { parseInBase } from "../number.ts";
import { call, errorAt, index, isTrue, setRaw, toNumber, toText, typeOf } from "../operations.ts";
import { LuaError, LuaTable, type LuaValue } from "../value.ts";
import { type Arguments, library, mostValues, nativeFunction } from "./arguments.ts";

/**
 * The global functions. There's none that compiles code or loads files, and `print` prints nothing: what a
 * script says is its result.
 */
export const baseLibrary = library({
  assert: (args) => {
    if (isTrue(args.any(0))) {
      return args.all;
    }
    throw new LuaError(args.all[1] ?? "assertion failed!");
  },
  error: (args) => {
    const [value] = args.all;
    const isPlaced = typeof value === "string" && args.integerOr(1, 1) > 0;
    throw isPlaced ? errorAt(args.run, value) : new LuaError(value);
  },
  getmetatable: (args) => {
    const value = args.any(0);
    const metatable = value instanceof LuaTable ? value.metatable : undefined;
    return [metatable?.get("__metatable") ?? metatable];
  },
  ipairs: (args) => [nextInList, args.table(0), 0],
  next: (args) => {
    const { budget } = args.run;
    return args.table(0).next(args.all[1], budget) ?? [undefined];
  },
  pairs: (args) => [nextField, args.table(0), undefined],
  pcall: (args) => {
    const callee = args.any(0);
    return protect(args, callee, args.all.slice(1)).values;
  },
  print: () => [],
  rawequal: (args) => [args.any(0) === args.any(1)],
  rawget: (args) => [args.table(0).get(args.any(1))],
  rawset: (args) => {
    setRaw(args.table(0), [args.any(1), args.any(2)], args.run);
    return [args.table(0)];
  },
  select: (args) => {
    if (args.all[0] === "#") {
      return [args.all.length - 1];
    }
    const from = args.integer(0);
    if (from === 0 || from < -(args.all.length - 1)) {
      throw args.bad(0, "index out of range");
    }
    return args.all.slice(from < 0 ? args.all.length + from : from);
  },
  setmetatable: (args) => {
    const table = args.table(0);
    const metatable = args.all[1] === undefined ? undefined : args.table(1);
    if (table.metatable?.get("__metatable") !== undefined) {
      throw errorAt(args.run, "cannot change a protected metatable");
    }
    table.metatable = metatable;
    return [table];
  },
  tonumber: (args) => {
    const value = args.any(0);
    const base = args.integerOr(1, 10);
    if (base === 10) {
      return [toNumber(value, args.run)];
    }
    if (base < 2 || base > 36) {
      throw args.bad(1, "base out of range");
    }
    args.run.budget.step(args.text(0).length);
    return [parseInBase(args.text(0), base)];
  },
  tostring: (args) => {
    const text = toText(args.any(0), args.run);
    args.run.budget.allocate(text.length);
    return [text];
  },
  type: (args) => [typeOf(args.any(0))],
  unpack: (args) => unpack(args),
  xpcall: (args) => {
    const { values, error } = protect(args, args.any(0), []);
    return error === undefined
      ? values
      : [false, ...protect(args, args.any(1), [error.value]).values.slice(1)];
  },
});

const nextField = nativeFunction("next", (args) => {
  const { budget } = args.run;
  return args.table(0).next(args.all[1], budget) ?? [undefined];
});

const nextInList = nativeFunction("ipairs", (args) => {
  const at = args.integer(1) + 1;
  const value = index(args.table(0), at, { run: args.run, name: "" });
  return value === undefined ? [undefined] : [at, value];
});

/** Calls a function and catches errors, but not exhausted limits. */
function protect(
  { run }: Arguments,
  callee: LuaValue,
  args: readonly LuaValue[],
): { readonly values: readonly LuaValue[]; readonly error?: LuaError } {
  try {
    return { values: [true, ...call(callee, args, { run, name: "" })] };
  } catch (error) {
    if (error instanceof LuaError) {
      return { values: [false, error.value], error };
    }
    throw error;
  }
}

function unpack(args: Arguments): readonly LuaValue[] {
  const table = args.table(0);
  const from = args.integerOr(1, 1);
  const to = args.integerOr(2, table.length);
  const count = to - from + 1;
  if (count > mostValues) {
    throw errorAt(args.run, "too many results to unpack");
  }
  args.run.budget.step(Math.max(0, count));
  return Array.from({ length: Math.max(0, count) }, (_, at) => table.get(from + at));
}
