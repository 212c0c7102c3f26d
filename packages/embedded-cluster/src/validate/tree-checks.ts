/** Checks that many kinds share. Each takes the path of what it looks at and returns what is wrong with it. */

import { parseQuantity } from "@weir/kube";
import { type FieldError, forbidden, invalid, notSupported, required } from "../field-errors.ts";
import { enumField } from "../schema/enum-fields.ts";
import {
  isTree,
  nodeAt,
  own,
  semanticallyEqual,
  stringAt,
  stringMapAt,
  stringsAt,
  type Tree,
  type TreeNode,
  treesAt,
} from "../tree.ts";
import { labelValue, portName, qualifiedKey, rangeMessage, type TextRule } from "./text-rules.ts";

/** The path of a field below another; the root has the path "". */
export function below(path: string, field: string): string {
  return path === "" ? field : `${path}.${field}`;
}

/** What a rule says against a text. */
export function checkText(path: string, value: string, rule: TextRule): FieldError[] {
  return rule(value).map((message) => invalid(path, value, message));
}

/** A text that must be there, and right. */
export function checkRequiredText(path: string, value: string, rule?: TextRule, detail = ""): FieldError[] {
  if (value === "") {
    return [required(path, detail)];
  }
  return rule === undefined ? [] : checkText(path, value, rule);
}

/** A text that may be empty, else must be right. */
export function checkOptionalText(path: string, value: string, rule: TextRule): FieldError[] {
  return value === "" ? [] : checkText(path, value, rule);
}

/**
 * A field by its place in the schema, e.g. "core.v1.Container.imagePullPolicy", that is one of the words listed there.
 * Where the schema does not ask for the field, it may be empty.
 */
export function checkEnum(path: string, tree: Tree | undefined, id: string): FieldError[] {
  const { name, words, isRequired } = enumField(id);
  const value = stringAt(tree, name);
  return value === "" && !isRequired ? [] : checkChoice(below(path, name), value, words);
}

/** One of a few words, for what the schema does not list, or not in the order in which the message names them. */
export function checkChoice(path: string, value: string, known: readonly string[]): FieldError[] {
  return known.includes(value) ? [] : [notSupported(path, value, known)];
}

/** Such a field, which must be there. */
export function checkRequiredEnum(path: string, tree: Tree | undefined, id: string): FieldError[] {
  const { name, words } = enumField(id);
  const value = stringAt(tree, name);
  return value === "" ? [required(below(path, name))] : checkChoice(below(path, name), value, words);
}

/** A count: not below zero. */
export function checkNonNegative(path: string, value: TreeNode | undefined): FieldError[] {
  return typeof value === "number" && value < 0
    ? [invalid(path, value, "must be greater than or equal to 0")]
    : [];
}

/** The non-negative fields of an object. */
export function checkCounts(path: string, tree: Tree | undefined, fields: readonly string[]): FieldError[] {
  return fields.flatMap((field) => checkNonNegative(below(path, field), nodeAt(tree, field)));
}

/** A port number. */
export function checkPort(path: string, value: TreeNode | undefined): FieldError[] {
  const port = typeof value === "number" ? value : 0;
  return port >= 1 && port <= 65_535 ? [] : [invalid(path, port, rangeMessage(1, 65_535))];
}

/** Labels of an object or selector: qualified keys, label values. */
export function checkLabels(path: string, tree: Tree | undefined, ...keys: readonly string[]): FieldError[] {
  return [...stringMapAt(tree, ...keys)].flatMap(([key, value]) => [
    ...checkText(path, key, qualifiedKey),
    ...checkText(path, value, labelValue),
  ]);
}

/** A port by its number, or by the name that containers gave it. */
export function checkPortOrName(path: string, port: TreeNode | undefined): FieldError[] {
  return typeof port === "string" ? checkText(path, port, portName) : checkPort(path, port);
}

/** A label selector as objects have it. */
export function checkLabelSelector(path: string, selector: Tree | undefined): FieldError[] {
  return [
    ...checkLabels(below(path, "matchLabels"), selector, "matchLabels"),
    ...treesAt(selector, "matchExpressions").flatMap((requirement, index) =>
      checkRequirement(`${below(path, "matchExpressions")}[${index}]`, requirement),
    ),
  ];
}

/** True for a selector that selects everything, having no terms. */
export function isEmptySelector(selector: Tree | undefined): boolean {
  return (
    stringMapAt(selector, "matchLabels").size === 0 && treesAt(selector, "matchExpressions").length === 0
  );
}

function checkRequirement(path: string, requirement: Tree): FieldError[] {
  const operator = stringAt(requirement, "operator");
  const values = stringsAt(requirement, "values");
  return [
    ...checkOperator(path, operator, values.length),
    ...checkText(below(path, "key"), stringAt(requirement, "key"), qualifiedKey),
    ...values.flatMap((value, index) => checkText(`${below(path, "values")}[${index}]`, value, labelValue)),
  ];
}

function checkOperator(path: string, operator: string, values: number): FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn":
      return values > 0
        ? []
        : [required(below(path, "values"), "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      return values === 0
        ? []
        : [
            forbidden(
              below(path, "values"),
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
            ),
          ];
    default:
      return [invalid(below(path, "operator"), operator, "not a valid selector operator")];
  }
}

/** A field that must not change once it is set. */
export function checkUnchanged(
  path: string,
  now: TreeNode | undefined,
  before: TreeNode | undefined,
): FieldError[] {
  return semanticallyEqual(now, before) ? [] : [invalid(path, now ?? null, "field is immutable")];
}

/** An amount that is not below zero. */
export function checkNonNegativeQuantity(path: string, value: TreeNode | undefined): FieldError[] {
  const quantity = typeof value === "string" ? parseQuantity(value) : undefined;
  return quantity !== undefined && quantity < 0n
    ? [invalid(path, value, "must be greater than or equal to 0")]
    : [];
}

/** True where both are amounts and the first is more. */
export function isMore(a: TreeNode | undefined, b: TreeNode | undefined): boolean {
  const one = typeof a === "string" ? parseQuantity(a) : undefined;
  const other = typeof b === "string" ? parseQuantity(b) : undefined;
  return one !== undefined && other !== undefined && one > other;
}

/** Applies a check to each object of a list. */
export function checkEach(
  path: string,
  list: readonly TreeNode[],
  check: (path: string, item: Tree) => readonly FieldError[],
): FieldError[] {
  return list.flatMap((item, index) => check(`${path}[${index}]`, isTree(item) ? item : {}));
}

/** Of some fields, those that are set. */
export function fieldsSet(tree: Tree, fields: readonly string[]): readonly string[] {
  return fields.filter((field) => {
    const value = own(tree, field);
    return value !== undefined && value !== null;
  });
}
