import type { Source } from "./source.ts";
import {
  type FilterStep,
  type Operator,
  operators,
  type Path,
  type SliceStep,
  type Step,
} from "./template.ts";

/** Reads a path to the end of a source. Throws JsonPathError. */
export type ParseInner = (source: Source) => Path;

const brackets = /[^\]\n]*\]/y;

/**
 * Reads what follows `[`: an index or a slice, the name of a field in single quotes, or several of these with
 * commas between them. Throws JsonPathError.
 */
export function parseBrackets(source: Source, position: number, parseInner: ParseInner): Path {
  const start = source.offset;
  const found = source.match(brackets);
  if (found === undefined) {
    throw source.error("the bracket is not closed", "add ]", position);
  }
  const pieces = splitAtCommas(source.part(start, start + found.length - 1));
  const [only, ...others] = pieces.map((piece) => parsePiece(piece, parseInner));
  return others.length === 0 ? (only ?? []) : [{ kind: "union", paths: [only ?? [], ...others] }];
}

function splitAtCommas(source: Source): readonly Source[] {
  const pieces: Source[] = [];
  let from = 0;
  for (const text of source.text.split(",")) {
    const blanks = /^ */.exec(text)?.[0].length ?? 0;
    pieces.push(source.part(from + blanks, from + Math.max(blanks, text.trimEnd().length)));
    from += text.length + 1;
  }
  return pieces;
}

function parsePiece(source: Source, parseInner: ParseInner): Path {
  const { text, position } = source;
  if (/^'[^']*'$/.test(text)) {
    // As in kubectl, the dots in the name separate fields.
    const inner = source.part(1, text.length - 1);
    return parseInner(inner.dotted());
  }
  return [parseSlice(source, text === "*" ? ":" : text, position)];
}

function parseSlice(source: Source, text: string, position: number): Step {
  const [, from = "", to, step] = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text) ?? [];
  const numbers = [from, to?.slice(1) ?? "", step?.slice(1) ?? ""];
  if (!/^(-?\d*)(:-?\d*)?(:-?\d*)?$/.test(text) || numbers.includes("-")) {
    throw source.error(
      `[${text}] is neither a position nor the name of a field`,
      "write a position as in [0], [-1], [1:3] or [*], and a name in single quotes as in ['name']",
      position,
    );
  }
  const slice: SliceStep = {
    kind: "slice",
    position,
    from: Number(from),
    to: boundOf(to, Number(from)),
    step: step === undefined || step === ":" ? 1 : Number(step.slice(1)),
    isIndex: to === undefined,
  };
  if (slice.step <= 0) {
    throw source.error("the step of a slice must be at least 1", "write it as in [0:10:2]", position);
  }
  return slice;
}

/** Where a slice ends; an index is a slice of one item. */
function boundOf(to: string | undefined, from: number): number | undefined {
  if (to === undefined) {
    return from + 1;
  }
  return to === ":" ? undefined : Number(to.slice(1));
}

/** Reads what follows `[?(`, to the closing bracket. Throws JsonPathError. */
export function parseFilter(source: Source, position: number, parseInner: ParseInner): FilterStep {
  const start = source.offset;
  const condition = source.match(/(?:"(?:\\[^\n]|[^"\\\n])*"|'(?:\\[^\n]|[^'\\\n])*'|[^)"'\n])*/y) ?? "";
  if (!source.take(")]")) {
    throw source.error("the filter is not closed", 'write it as in [?(@.name=="a")]', position);
  }
  const [, left, operator = ""] = /^([^!<>=]+)([!<>=]+)/.exec(condition) ?? [];
  if (left === undefined) {
    const path = parseInner(source.part(start, start + condition.length));
    return { kind: "filter", position, left: path, comparison: undefined };
  }
  const begin = start + left.length + operator.length;
  const known = operators.find((each) => each === operator);
  if (known === undefined) {
    const remedy = `the operators are ${operators.join(" ")}`;
    throw source.error(`${operator} is not an operator`, remedy, position + "[?(".length + left.length);
  }
  const right = source.part(begin, start + condition.length);
  if (right.text.trim() === "") {
    throw right.error(`nothing follows ${operator}`, `add what to compare with, as in @.name${operator}"a"`);
  }
  return {
    kind: "filter",
    position,
    left: parseInner(source.part(start, start + left.length)),
    comparison: { operator: known satisfies Operator, right: parseInner(right) },
  };
}
