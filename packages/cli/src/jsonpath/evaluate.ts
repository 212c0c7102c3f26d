import { invariant, isJsonArray, isJsonObject, type JsonValue, memberOf, membersOf } from "@weir/base";
import { ComparisonError, compare, describe } from "./compare.ts";
import { JsonPathError } from "./error.ts";
import { sliceOf } from "./slice.ts";
import type { FilterStep, Path, Step } from "./template.ts";

/** How many values a template may visit: repeated searches at any depth multiply. */
const mostVisits = 2_000_000;

/** Evaluates the paths of one template. */
export class Evaluation {
  #visits = 0;

  /** What a path finds, starting from a value. Throws JsonPathError. */
  find(value: JsonValue, path: Path): readonly JsonValue[] {
    return path.reduce<readonly JsonValue[]>((values, step) => this.#walk(values, step), [value]);
  }

  /** Counts values. Throws JsonPathError if there are too many. */
  visit(count: number): void {
    this.#visits += count;
    if (this.#visits > mostVisits) {
      throw new JsonPathError(
        1,
        "this takes too many steps",
        "use .. and nested ranges less often, or process -o json with another program",
      );
    }
  }

  #walk(values: readonly JsonValue[], step: Step): readonly JsonValue[] {
    this.visit(values.length);
    switch (step.kind) {
      case "field":
        return values.flatMap((value) => fieldOf(value, step.name));
      case "children":
        return values.flatMap(childrenOf);
      case "descend":
        return values.flatMap((value) => this.#descend(value));
      case "slice":
        return values.flatMap((value) => sliceOf(value, step));
      case "union":
        return step.paths.flatMap((path) => this.#walkAll(values, path));
      case "filter":
        return values.flatMap((value) => this.#filter(value, step));
      case "text":
        return [step.text];
      case "constant":
        return values.map(() => step.value);
    }
  }

  #walkAll(values: readonly JsonValue[], path: Path): readonly JsonValue[] {
    return path.reduce((found, step) => this.#walk(found, step), values);
  }

  /** The value and everything below it that has children, parents first. */
  #descend(top: JsonValue): readonly JsonValue[] {
    const found: JsonValue[] = [];
    const rest = [top];
    for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
      const children = childrenOf(value);
      this.visit(children.length + 1);
      if (children.length > 0) {
        found.push(value);
        children.toReversed().forEach((child) => rest.push(child));
      }
    }
    return found;
  }

  #filter(value: JsonValue, step: FilterStep): readonly JsonValue[] {
    if (!isJsonArray(value)) {
      throw new JsonPathError(
        step.position,
        `${describe(value)} cannot be filtered`,
        "only a list can: put the path of a list before the filter",
      );
    }
    return value.filter((item) => this.#passes(item, step));
  }

  #passes(item: JsonValue, { left, comparison, position }: FilterStep): boolean {
    if (comparison === undefined) {
      return this.find(item, left).length > 0;
    }
    const [a, ...more] = this.find(item, left);
    const [b, ...others] = this.find(item, comparison.right);
    if (a === undefined || b === undefined) {
      return false;
    }
    if (more.length + others.length > 0) {
      throw new JsonPathError(
        position,
        "a side of the comparison has several values",
        "compare one value, as in [?(@.list[0]==1)]",
      );
    }
    try {
      return compare(a, comparison.operator, b);
    } catch (error) {
      invariant(error instanceof ComparisonError, "only types can be wrong");
      throw new JsonPathError(
        position,
        error.message,
        'compare values of the same type: strings are quoted as in "1", numbers are not',
      );
    }
  }
}

function fieldOf(value: JsonValue, name: string): readonly JsonValue[] {
  const found = isJsonObject(value) ? memberOf(value, name) : undefined;
  return found === undefined ? [] : [found];
}

/** As in kubectl, the children of a string are its bytes. */
function childrenOf(value: JsonValue): readonly JsonValue[] {
  if (isJsonArray(value)) {
    return value;
  }
  if (isJsonObject(value)) {
    return [...membersOf(value)].map(([, member]) => member);
  }
  return typeof value === "string" ? [...new TextEncoder().encode(value)] : [];
}
