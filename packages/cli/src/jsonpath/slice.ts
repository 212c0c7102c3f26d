import { isJsonArray, type JsonValue } from "@weir/base";
import { describe } from "./compare.ts";
import { JsonPathError } from "./error.ts";
import type { SliceStep } from "./template.ts";

/**
 * The items of a list between two positions; none for null, as in kubectl. Throws JsonPathError if a position is outside
 * the list, or if the value isn't a list.
 */
export function sliceOf(value: JsonValue, step: SliceStep): readonly JsonValue[] {
  if (value === null) {
    return [];
  }
  if (!isJsonArray(value)) {
    throw new JsonPathError(
      step.position,
      `there is ${describe(value)} where [...] needs a list`,
      "use [...] behind the path of a list; -o json shows where lists are",
    );
  }
  const from = step.from < 0 ? step.from + value.length : step.from;
  const to = endOf(step, value.length);
  if (from === to) {
    return [];
  }
  for (const position of [from, to - 1]) {
    if (position < 0 || position >= value.length) {
      throw new JsonPathError(
        step.position,
        `position ${position} is outside the list, which has length ${value.length}`,
        "use [*] for all items of a list that may be short, or range",
      );
    }
  }
  if (from > to) {
    throw new JsonPathError(
      step.position,
      `the slice begins at ${from}, behind its end at ${to}`,
      "write the smaller position first",
    );
  }
  return value.slice(from, to).filter((_, index) => index % step.step === 0);
}

function endOf({ to, isIndex }: SliceStep, length: number): number {
  if (to === undefined) {
    return length;
  }
  return to < 0 || (to === 0 && isIndex) ? to + length : to;
}
