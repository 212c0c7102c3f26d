import { call, charactersPerStep, errorAt, index, isTrue, toText, typeOf } from "../operations.ts";
import { LuaFunction, LuaTable, type LuaValue } from "../value.ts";
import { type Arguments, library, mostValues, nativeFunction } from "./arguments.ts";
import { format } from "./format.ts";
import { findPattern, type Match } from "./pattern.ts";

/** `string`: functions for texts, which are also the methods of texts. */
export const stringLibrary = library({
  byte: (args) => bytes(args),
  char: (args) => {
    const codes = args.all.map((_, at) => args.integer(at));
    args.run.budget.allocate(codes.length);
    const wrong = codes.findIndex((code) => code < 0 || code > 255);
    if (wrong >= 0) {
      throw args.bad(wrong, "invalid value");
    }
    return [codes.map((code) => String.fromCharCode(code)).join("")];
  },
  find: (args) => find(args),
  format: (args) => [format(args)],
  gmatch: (args) => [matches(args)],
  gsub: (args) => substitute(args),
  len: (args) => [args.text(0).length],
  lower: (args) => [made(args, args.text(0)).replace(/[A-Z]+/g, (letters) => letters.toLowerCase())],
  match: (args) => {
    const from = startOf(args, 2);
    const found = findPattern(args.text(0), args.text(1), { from, run: args.run });
    return found === undefined ? [undefined] : capturesOf(args.text(0), found);
  },
  rep: (args) => {
    const count = Math.max(0, args.integer(1));
    args.run.budget.allocate(args.text(0).length * count);
    args.run.budget.step((args.text(0).length * count) / charactersPerStep);
    return [args.text(0) === "" ? "" : args.text(0).repeat(count)];
  },
  reverse: (args) => [
    Array.from(made(args, args.text(0)))
      .reverse()
      .join(""),
  ],
  sub: (args) => {
    const [from, to] = range(args, args.integer(1), args.integerOr(2, -1));
    return [made(args, args.text(0).slice(from, to))];
  },
  upper: (args) => [made(args, args.text(0)).replace(/[a-z]+/g, (letters) => letters.toUpperCase())],
});

/** Charges a text that a function makes, or works through. */
function made(args: Arguments, text: string): string {
  args.run.budget.step(1 + text.length);
  args.run.budget.allocate(text.length);
  return text;
}

/** The part of the first argument from one position to another, as for slice. Negative ones count from the end. */
function range(args: Arguments, from: number, to: number): readonly [number, number] {
  const { length } = args.text(0);
  const start = from < 0 ? Math.max(0, length + from) : Math.max(0, from - 1);
  const end = to < 0 ? length + to + 1 : Math.min(length, to);
  return [start, Math.max(start, end)];
}

function startOf(args: Arguments, at: number): number {
  const given = args.integerOr(at, 1);
  const { length } = args.text(0);
  return Math.min(length, given < 0 ? Math.max(0, length + given) : Math.max(0, given - 1));
}

function bytes(args: Arguments): readonly LuaValue[] {
  const first = args.integerOr(1, 1);
  const [from, to] = range(args, first, args.integerOr(2, first));
  if (to - from > mostValues) {
    throw errorAt(args.run, "string slice too long");
  }
  args.run.budget.step(to - from);
  return Array.from(args.text(0).slice(from, to), (character) => character.charCodeAt(0));
}

function find(args: Arguments): readonly LuaValue[] {
  const [text, pattern] = [args.text(0), args.text(1)];
  const from = startOf(args, 2);
  if (isTrue(args.all[3]) || !/[\^$*+?.()[%-]/.test(pattern)) {
    // A search for a text can take as long as the product of both lengths.
    args.run.budget.step(1 + (text.length * pattern.length) / charactersPerStep);
    const at = text.indexOf(pattern, from);
    return at < 0 ? [undefined] : [at + 1, at + pattern.length];
  }
  const found = findPattern(text, pattern, { from, run: args.run });
  return found === undefined ? [undefined] : [found.start + 1, found.end, ...found.captures];
}

/** The captures of a match, or all of it. */
function capturesOf(text: string, { start, end, captures }: Match): readonly LuaValue[] {
  return captures.length === 0 ? [text.slice(start, end)] : captures;
}

function matches(args: Arguments): LuaFunction {
  const [text, pattern] = [args.text(0), args.text(1)];
  let from = 0;
  return nativeFunction("gmatch", ({ run }) => {
    const found = from > text.length ? undefined : findPattern(text, pattern, { from, run });
    if (found === undefined) {
      return [undefined];
    }
    from = found.end === found.start ? found.end + 1 : found.end;
    return capturesOf(text, found);
  });
}

function substitute(args: Arguments): readonly LuaValue[] {
  const [text, pattern] = [args.text(0), args.text(1)];
  const most = args.integerOr(3, Number.MAX_SAFE_INTEGER);
  const parts: string[] = [];
  let [at, count] = [0, 0];
  while (count < most) {
    const found = findPattern(text, pattern, { from: at, run: args.run });
    if (found === undefined) {
      break;
    }
    count += 1;
    parts.push(text.slice(at, found.start), replacement(args, text, found));
    // An empty match moves on by the character behind it.
    const isEmpty = found.end === found.start;
    parts.push(isEmpty ? text.slice(found.end, found.end + 1) : "");
    at = isEmpty ? found.end + 1 : found.end;
    if (at > text.length || pattern.startsWith("^")) {
      break;
    }
  }
  parts.push(text.slice(at));
  args.run.budget.allocate(parts.reduce((sum, part) => sum + part.length, 0));
  return [parts.join(""), count];
}

function replacement(args: Arguments, text: string, found: Match): string {
  const whole = text.slice(found.start, found.end);
  const captures = capturesOf(text, found);
  const value = replacementBy(args, [whole, ...captures]);
  if (value === undefined || value === false) {
    return whole;
  }
  if (typeof value !== "string" && typeof value !== "number") {
    throw errorAt(args.run, `invalid replacement value (a ${typeOf(value)})`);
  }
  const printed = toText(value, args.run);
  args.run.budget.allocate(printed.length);
  return printed;
}

function replacementBy(args: Arguments, groups: readonly LuaValue[]): LuaValue {
  const by = args.all[2];
  const { run } = args;
  if (by instanceof LuaTable) {
    return index(by, groups[1], { run, name: "" });
  }
  if (by instanceof LuaFunction) {
    return call(by, groups.slice(1), { run, name: "" })[0];
  }
  const template = args.text(2);
  run.budget.step(template.length);
  return template.replace(/%([^]?)/g, (_, letter: string) => {
    if (!/^[0-9]$/.test(letter)) {
      return letter;
    }
    const group = groups[Number(letter)];
    if (group === undefined) {
      throw errorAt(run, `invalid capture index %${letter} in replacement string`);
    }
    const printed = toText(group, run);
    run.budget.allocate(printed.length);
    return printed;
  });
}
