/** The operations of the language on values, with metamethods. All throw LuaError and LuaLimitError. */
import { parseNumber, printNumber } from "./number.ts";
import type { ArithmeticOperator } from "./syntax.ts";
import { LuaError, LuaFunction, LuaTable, type LuaValue, type Run } from "./value.ts";

/** How many __index or __newindex may follow each other, as in Lua. */
const longestChain = 100;

/** Characters that are compared, hashed, or searched in the time of one step. */
export const charactersPerStep = 32;

/** An error at the line that is being evaluated. */
export function errorAt(run: Run, problem: string): LuaError {
  return new LuaError(`line ${run.line}: ${problem}`);
}

/** The name of a value's type. */
export function typeOf(value: LuaValue): string {
  if (value === undefined) {
    return "nil";
  }
  if (value instanceof LuaTable) {
    return "table";
  }
  return value instanceof LuaFunction ? "function" : typeof value;
}

/** Everything is true except nil and false. */
export function isTrue(value: LuaValue): boolean {
  return value !== undefined && value !== false;
}

/** `object[key]`. The name says what the object is, for an error. */
export function index(object: LuaValue, key: LuaValue, { run, name }: Context): LuaValue {
  let holder = object;
  for (let links = 0; links < longestChain; links += 1) {
    run.budget.step(costOfKey(key));
    if (holder instanceof LuaTable) {
      const value = holder.get(key);
      if (value !== undefined || holder.metatable === undefined) {
        return value;
      }
    }
    const handler = metamethod(holder, "__index", run);
    if (handler === undefined && holder instanceof LuaTable) {
      return undefined;
    }
    if (handler === undefined) {
      throw errorAt(run, `attempt to index a ${typeOf(holder)} value${name}`);
    }
    if (handler instanceof LuaFunction) {
      return call(handler, [holder, key], { run, name: "" })[0];
    }
    holder = handler;
  }
  throw errorAt(run, "loop in gettable");
}

/** `object[key] = value`. */
export function setIndex(
  object: LuaValue,
  [key, value]: readonly [LuaValue, LuaValue],
  { run, name }: Context,
): void {
  let holder = object;
  for (let links = 0; links < longestChain; links += 1) {
    run.budget.step(costOfKey(key));
    const table = holder instanceof LuaTable ? holder : undefined;
    const isOrdinary = table !== undefined && (table.metatable === undefined || table.get(key) !== undefined);
    const handler = isOrdinary ? undefined : metamethod(holder, "__newindex", run);
    if (handler === undefined && table !== undefined) {
      setRaw(table, [key, value], run);
      return;
    }
    if (handler === undefined) {
      throw errorAt(run, `attempt to index a ${typeOf(holder)} value${name}`);
    }
    if (handler instanceof LuaFunction) {
      call(handler, [holder, key, value], { run, name: "" });
      return;
    }
    holder = handler;
  }
  throw errorAt(run, "loop in settable");
}

/** Sets a field of a table without metamethods. */
export function setRaw(table: LuaTable, [key, value]: readonly [LuaValue, LuaValue], run: Run): void {
  if (key === undefined) {
    throw errorAt(run, "table index is nil");
  }
  if (Number.isNaN(key)) {
    throw errorAt(run, "table index is NaN");
  }
  table.set(key, value, run.budget);
}

/** Where an operation happens. */
export interface Context {
  readonly run: Run;
  /** The operand, such as " (global 'x')", or "". */
  readonly name: string;
}

/** Calls a function, or a value with __call. */
export function call(
  callee: LuaValue,
  args: readonly LuaValue[],
  { run, name }: Context,
): readonly LuaValue[] {
  if (!(callee instanceof LuaFunction)) {
    const handler = metamethod(callee, "__call", run);
    if (!(handler instanceof LuaFunction)) {
      throw errorAt(run, `attempt to call a ${typeOf(callee)} value${name}`);
    }
    return call(handler, [callee, ...args], { run, name });
  }
  const { line } = run;
  run.budget.enter();
  run.budget.step(1 + args.length);
  try {
    return callee.invoke(args, run);
  } finally {
    run.budget.leave();
    run.line = line;
  }
}

const names: Readonly<Record<ArithmeticOperator, string>> = {
  "+": "__add",
  "-": "__sub",
  "*": "__mul",
  "/": "__div",
  "%": "__mod",
  "^": "__pow",
};

/** Arithmetic; texts that are numbers count as numbers. The names say what the operands are, for an error. */
export function arithmetic(
  operator: ArithmeticOperator,
  [left, right]: readonly [LuaValue, LuaValue],
  { run, names: operands }: { readonly run: Run; readonly names: readonly [string, string] },
): LuaValue {
  const a = toNumber(left, run);
  const b = toNumber(right, run);
  if (a !== undefined && b !== undefined) {
    return compute(operator, a, b);
  }
  const handler = metamethod(left, names[operator], run) ?? metamethod(right, names[operator], run);
  if (handler !== undefined) {
    return call(handler, [left, right], { run, name: "" })[0];
  }
  const [culprit, name] = a === undefined ? [left, operands[0]] : [right, operands[1]];
  throw errorAt(run, `attempt to perform arithmetic on a ${typeOf(culprit)} value${name}`);
}

/** Arithmetic on numbers. */
export function compute(operator: ArithmeticOperator, a: number, b: number): number {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    case "%":
      return a - Math.floor(a / b) * b;
    case "^":
      return a ** b;
  }
}

/** `-value`. */
export function negate(value: LuaValue, { run, name }: Context): LuaValue {
  const number = toNumber(value, run);
  if (number !== undefined) {
    return -number;
  }
  const handler = metamethod(value, "__unm", run);
  if (handler === undefined) {
    throw errorAt(run, `attempt to perform arithmetic on a ${typeOf(value)} value${name}`);
  }
  return call(handler, [value, value], { run, name: "" })[0];
}

/** `#value`. */
export function lengthOf(value: LuaValue, { run, name }: Context): LuaValue {
  if (typeof value === "string") {
    return value.length;
  }
  const handler = metamethod(value, "__len", run);
  if (handler !== undefined && typeof value !== "string") {
    return call(handler, [value], { run, name: "" })[0];
  }
  if (value instanceof LuaTable) {
    return value.length;
  }
  throw errorAt(run, `attempt to get length of a ${typeOf(value)} value${name}`);
}

/** `a .. b .. c`. */
export function concat(values: readonly LuaValue[], run: Run): LuaValue {
  const texts = values.map((value) => (typeof value === "number" ? printNumber(value) : value));
  if (texts.every((text) => typeof text === "string")) {
    run.budget.allocate(texts.reduce((sum, text) => sum + text.length, 0));
    return texts.join("");
  }
  return values.reduceRight((right, left) => concatTwo(left, right, run));
}

function concatTwo(left: LuaValue, right: LuaValue, run: Run): LuaValue {
  if (isText(left) && isText(right)) {
    return concat([left, right], run);
  }
  const handler = metamethod(left, "__concat", run) ?? metamethod(right, "__concat", run);
  if (handler === undefined) {
    throw errorAt(run, `attempt to concatenate a ${typeOf(isText(left) ? right : left)} value`);
  }
  return call(handler, [left, right], { run, name: "" })[0];
}

function isText(value: LuaValue): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

/** `left == right`. */
export function equals(left: LuaValue, right: LuaValue, run: Run): boolean {
  if (typeof left === "string") {
    run.budget.step(costOfKey(left));
  }
  if (left === right || !(left instanceof LuaTable && right instanceof LuaTable)) {
    return left === right;
  }
  const handler = metamethod(left, "__eq", run);
  const isShared = handler !== undefined && handler === metamethod(right, "__eq", run);
  return isShared && isTrue(call(handler, [left, right], { run, name: "" })[0]);
}

/** `left < right`. */
export function isLess(left: LuaValue, right: LuaValue, run: Run): boolean {
  if (typeof left === "number" && typeof right === "number") {
    return left < right;
  }
  if (typeof left === "string" && typeof right === "string") {
    run.budget.step(costOfKey(left));
    return left < right;
  }
  return isTrue(compared("__lt", [left, right], run));
}

/** `left <= right`. */
export function isAtMost(left: LuaValue, right: LuaValue, run: Run): boolean {
  if (typeof left === "number" && typeof right === "number") {
    return left <= right;
  }
  if (typeof left === "string" && typeof right === "string") {
    run.budget.step(costOfKey(left));
    return left <= right;
  }
  return isTrue(compared("__le", [left, right], run));
}

function compared(event: string, [left, right]: readonly [LuaValue, LuaValue], run: Run): LuaValue {
  const handler = metamethod(left, event, run) ?? metamethod(right, event, run);
  if (handler === undefined) {
    const [a, b] = [typeOf(left), typeOf(right)];
    throw errorAt(run, a === b ? `attempt to compare two ${a} values` : `attempt to compare ${a} with ${b}`);
  }
  return call(handler, [left, right], { run, name: "" })[0];
}

/** The number that a value is, or that its text is; undefined if it's none. */
export function toNumber(value: LuaValue, run: Run): number | undefined {
  if (typeof value !== "string") {
    return typeof value === "number" ? value : undefined;
  }
  run.budget.step(1 + value.length / charactersPerStep);
  return parseNumber(value);
}

/** A value as text, as tostring shows it. */
export function toText(value: LuaValue, run: Run): string {
  if (typeof value === "string") {
    return value;
  }
  if (typeof value === "number") {
    return printNumber(value);
  }
  const handler = metamethod(value, "__tostring", run);
  const [text] = handler === undefined ? [] : call(handler, [value], { run, name: "" });
  if (handler !== undefined && typeof text !== "string") {
    throw errorAt(run, "'tostring' must return a string to 'print'");
  }
  if (typeof text === "string") {
    return text;
  }
  return typeof value === "boolean" ? String(value) : typeOf(value);
}

/** What handles an event of a value, if anything does. */
export function metamethod(value: LuaValue, event: string, run: Run): LuaValue {
  if (value instanceof LuaTable) {
    return value.metatable?.get(event);
  }
  return typeof value === "string" && event === "__index" ? run.strings : undefined;
}

function costOfKey(key: LuaValue): number {
  return typeof key === "string" ? 1 + key.length / charactersPerStep : 1;
}
