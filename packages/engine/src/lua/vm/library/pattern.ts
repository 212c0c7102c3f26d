/**
 * Lua's patterns. A pattern can need time that is exponential in its length, so each comparison of a character counts
 * as a step.
 */
import { errorAt } from "../operations.ts";
import type { LuaError, LuaValue, Run } from "../value.ts";

/** As in Lua. */
const mostCaptures = 32;
const deepest = 200;

/** The end of a capture that isn't closed yet, and of one that is a position. */
const isOpen = -1;
const isPosition = -2;

interface Capture {
  readonly start: number;
  readonly length: number;
}

/** Where a pattern matches. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** Texts and positions; none if the pattern captures nothing. */
  readonly captures: readonly LuaValue[];
}

/** Finds a pattern in a text, at a position or after it. Throws LuaError for malformed patterns, and LuaLimitError. */
export function findPattern(
  text: string,
  pattern: string,
  { from, run }: { readonly from: number; readonly run: Run },
): Match | undefined {
  const isAnchored = pattern.startsWith("^");
  for (let start = from; start <= text.length; start += 1) {
    const matcher = new Matcher(text, pattern, run);
    const end = matcher.match(start, isAnchored ? 1 : 0);
    if (end !== undefined) {
      return { start, end, captures: matcher.captures() };
    }
    if (isAnchored) {
      break;
    }
  }
  return undefined;
}

class Matcher {
  readonly #text: string;
  readonly #pattern: string;
  readonly #run: Run;
  #captures: Capture[] = [];
  #depth = 0;

  constructor(text: string, pattern: string, run: Run) {
    this.#text = text;
    this.#pattern = pattern;
    this.#run = run;
  }

  captures(): readonly LuaValue[] {
    return this.#captures.map(({ start, length }) => {
      if (length === isOpen) {
        throw this.#malformed("unfinished capture");
      }
      return length === isPosition ? start + 1 : this.#text.slice(start, start + length);
    });
  }

  /** Matches the pattern from a position in it to its end; the end of the match in the text, or undefined. */
  match(at: number, from: number): number | undefined {
    this.#depth += 1;
    if (this.#depth > deepest) {
      throw this.#malformed("too complex");
    }
    try {
      return this.#match(at, from);
    } finally {
      this.#depth -= 1;
    }
  }

  #match(start: number, from: number): number | undefined {
    let at = start;
    let item = from;
    for (;;) {
      this.#run.budget.step();
      if (item === this.#pattern.length) {
        return at;
      }
      const first = this.#pattern[item];
      if (first === "(") {
        return this.#open(at, item);
      }
      if (first === ")") {
        return this.#close(at, item);
      }
      if (first === "$" && item + 1 === this.#pattern.length) {
        return at === this.#text.length ? at : undefined;
      }
      const special = this.#special(at, item);
      if (special === undefined) {
        const next = this.#repeated(at, item);
        if (typeof next !== "object") {
          return next;
        }
        [at, item] = [next.at, next.item];
      } else if (special.at === undefined) {
        return undefined;
      } else {
        [at, item] = [special.at, special.item];
      }
    }
  }

  /** %b, %f, and %1 to %9; undefined for other items. */
  #special(at: number, item: number): { readonly at: number | undefined; readonly item: number } | undefined {
    const letter = this.#pattern[item] === "%" ? (this.#pattern[item + 1] ?? "") : "";
    if (letter === "b") {
      return { at: this.#balanced(at, item + 2), item: item + 4 };
    }
    if (letter === "f") {
      const end = this.#endOfItem(item + 2);
      if (this.#pattern[item + 2] !== "[") {
        throw this.#malformed("missing '[' after '%f'");
      }
      const before = at === 0 ? "\0" : this.#text.charAt(at - 1);
      const after = this.#text[at] ?? "\0";
      const isBorder = !this.#isInSet(before, item + 2, end - 1) && this.#isInSet(after, item + 2, end - 1);
      return { at: isBorder ? at : undefined, item: end };
    }
    return /^[0-9]$/.test(letter) ? { at: this.#back(at, Number(letter)), item: item + 2 } : undefined;
  }

  /** A single character, with what may follow it. Goes on from the result, or is the result of the match. */
  #repeated(at: number, item: number): { readonly at: number; readonly item: number } | number | undefined {
    const end = this.#endOfItem(item);
    switch (this.#pattern[end]) {
      case "?": {
        const one = this.#isAt(at, item, end) ? this.match(at + 1, end + 1) : undefined;
        return one ?? { at, item: end + 1 };
      }
      case "*":
        return this.#most(at, [item, end], 0);
      case "+":
        return this.#most(at, [item, end], 1);
      case "-":
        return this.#fewest(at, [item, end]);
      default:
        return this.#isAt(at, item, end) ? { at: at + 1, item: end } : undefined;
    }
  }

  #most(at: number, [item, end]: readonly [number, number], least: number): number | undefined {
    let count = 0;
    while (this.#isAt(at + count, item, end)) {
      count += 1;
    }
    for (; count >= least; count -= 1) {
      const found = this.match(at + count, end + 1);
      if (found !== undefined) {
        return found;
      }
    }
    return undefined;
  }

  #fewest(start: number, [item, end]: readonly [number, number]): number | undefined {
    for (let at = start; ; at += 1) {
      const found = this.match(at, end + 1);
      if (found !== undefined || !this.#isAt(at, item, end)) {
        return found;
      }
    }
  }

  #open(at: number, item: number): number | undefined {
    const isEmpty = this.#pattern[item + 1] === ")";
    if (this.#captures.length === mostCaptures) {
      throw this.#malformed("too many captures");
    }
    const before = this.#captures;
    this.#captures = [...before, { start: at, length: isEmpty ? isPosition : isOpen }];
    const found = this.match(at, item + (isEmpty ? 2 : 1));
    this.#captures = found === undefined ? before : this.#captures;
    return found;
  }

  #close(at: number, item: number): number | undefined {
    const index = this.#captures.findLastIndex(({ length }) => length === isOpen);
    const open = this.#captures[index];
    if (open === undefined) {
      throw this.#malformed("invalid pattern capture");
    }
    const before = this.#captures;
    this.#captures = before.with(index, { start: open.start, length: at - open.start });
    const found = this.match(at, item + 1);
    this.#captures = found === undefined ? before : this.#captures;
    return found;
  }

  #balanced(at: number, item: number): number | undefined {
    const [open, close] = [this.#pattern[item], this.#pattern[item + 1]];
    if (open === undefined || close === undefined) {
      throw this.#malformed("unbalanced pattern");
    }
    if (this.#text[at] !== open) {
      return undefined;
    }
    for (let end = at + 1, depth = 1; end < this.#text.length; end += 1) {
      this.#run.budget.step();
      if (this.#text[end] === close) {
        depth -= 1;
        if (depth === 0) {
          return end + 1;
        }
      } else if (this.#text[end] === open) {
        depth += 1;
      }
    }
    return undefined;
  }

  /** A text that was captured before. */
  #back(at: number, number: number): number | undefined {
    const capture = this.#captures[number - 1];
    if (capture === undefined || capture.length < 0) {
      throw this.#malformed(`invalid capture index %${number}`);
    }
    this.#run.budget.step(capture.length);
    const text = this.#text.slice(capture.start, capture.start + capture.length);
    return this.#text.startsWith(text, at) ? at + text.length : undefined;
  }

  /** The position after a character, class, or set. */
  #endOfItem(item: number): number {
    const first = this.#pattern[item];
    if (first === "%") {
      if (item + 1 >= this.#pattern.length) {
        throw this.#malformed("malformed pattern (ends with '%')");
      }
      return item + 2;
    }
    if (first !== "[") {
      return item + 1;
    }
    // A bracket that comes first is a member of the set.
    let at = item + (this.#pattern[item + 1] === "^" ? 2 : 1);
    do {
      this.#run.budget.step();
      if (at >= this.#pattern.length) {
        throw this.#malformed("malformed pattern (missing ']')");
      }
      at += this.#pattern[at] === "%" ? 2 : 1;
    } while (this.#pattern[at] !== "]");
    return at + 1;
  }

  #isAt(at: number, item: number, end: number): boolean {
    this.#run.budget.step();
    const character = this.#text[at];
    if (character === undefined) {
      return false;
    }
    switch (this.#pattern[item]) {
      case ".":
        return true;
      case "%":
        return isInClass(character, this.#pattern.charAt(item + 1));
      case "[":
        return this.#isInSet(character, item, end - 1);
      default:
        return this.#pattern[item] === character;
    }
  }

  /** True if the character is in the set between two brackets. */
  #isInSet(character: string, open: number, close: number): boolean {
    const isNegated = this.#pattern[open + 1] === "^";
    let at = open + (isNegated ? 2 : 1);
    this.#run.budget.step(close - open);
    while (at < close) {
      const first = this.#pattern.charAt(at);
      const isRange = this.#pattern[at + 1] === "-" && at + 2 < close;
      const last = isRange && first !== "%" ? this.#pattern.charAt(at + 2) : first;
      const isIn =
        first === "%"
          ? isInClass(character, this.#pattern.charAt(at + 1))
          : first <= character && character <= last;
      if (isIn) {
        return !isNegated;
      }
      at += first === "%" ? 2 : isRange ? 3 : 1;
    }
    return isNegated;
  }

  #malformed(problem: string): LuaError {
    return errorAt(this.#run, problem);
  }
}

const classes: Readonly<Record<string, RegExp>> = {
  a: /[A-Za-z]/,
  c: /[\0-\x1f\x7f]/,
  d: /[0-9]/,
  l: /[a-z]/,
  p: /[!-/:-@[-`{-~]/,
  s: /[ \t-\r]/,
  u: /[A-Z]/,
  w: /[A-Za-z0-9]/,
  x: /[A-Fa-f0-9]/,
  z: /\0/,
};

/** True if a character is in a class such as %a; a letter that's no class stands for itself. */
function isInClass(character: string, letter: string): boolean {
  const known = classes[letter.toLowerCase()];
  if (known === undefined) {
    return letter === character;
  }
  return known.test(character) === (letter === letter.toLowerCase());
}
