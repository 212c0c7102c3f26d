import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, memberOf, membersOf } from "@weir/base";
import {
  createRequirement,
  type LabelOperator,
  type LabelRequirement,
  LabelSelectorError,
  type Labels,
  meets,
} from "./label-requirement.ts";
import { parseRequirements } from "./label-selector-parser.ts";

/** Decides whether labels are selected. */
export type LabelSelector = (labels: Labels) => boolean;

/**
 * Parses a selector in query form: "app=web,tier in (a,b),!legacy,generation>3"; an empty selector selects
 * everything. Throws LabelSelectorError.
 */
export function parseLabelSelector(text: string): LabelSelector {
  return selectBy(parseRequirements(text));
}

/**
 * Reads a selector in object form: all `matchLabels` and `matchExpressions` must match; an empty selector
 * selects everything. Throws LabelSelectorError.
 */
export function labelSelectorOf(selector: JsonObject): LabelSelector {
  const labels = memberOf(selector, "matchLabels") ?? {};
  const expressions = memberOf(selector, "matchExpressions") ?? [];
  if (!isJsonObject(labels) || !isJsonArray(expressions)) {
    throw new LabelSelectorError("matchLabels must be a map and matchExpressions a list");
  }
  return selectBy([...[...membersOf(labels)].map(fromLabel), ...expressions.map(fromExpression)]);
}

function selectBy(requirements: readonly LabelRequirement[]): LabelSelector {
  return (labels) => requirements.every((requirement) => meets(labels, requirement));
}

function fromLabel([key, value]: readonly [string, JsonValue]): LabelRequirement {
  return createRequirement(key, "in", [requireText(value, `matchLabels.${key}`)]);
}

function fromExpression(expression: JsonValue): LabelRequirement {
  if (!isJsonObject(expression)) {
    throw new LabelSelectorError("an item of matchExpressions must be a map");
  }
  const values = memberOf(expression, "values") ?? [];
  if (!isJsonArray(values)) {
    throw new LabelSelectorError("values of matchExpressions must be a list");
  }
  const key = requireText(memberOf(expression, "key"), "key of matchExpressions");
  const operator = operatorOf(requireText(memberOf(expression, "operator"), "operator of matchExpressions"));
  return createRequirement(
    key,
    operator,
    values.map((value) => requireText(value, "a value of matchExpressions")),
  );
}

function operatorOf(word: string): LabelOperator {
  switch (word) {
    case "In":
      return "in";
    case "NotIn":
      return "notin";
    case "Exists":
      return "exists";
    case "DoesNotExist":
      return "!";
    default:
      throw new LabelSelectorError(`${JSON.stringify(word)} is not a label selector operator`);
  }
}

function requireText(value: JsonValue | undefined, what: string): string {
  if (typeof value !== "string") {
    throw new LabelSelectorError(`${what} must be a string`);
  }
  return value;
}
