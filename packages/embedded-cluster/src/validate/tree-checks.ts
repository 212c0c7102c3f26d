/** The checks of checks.ts and of fields in an older form, which takes the path and the value one by one. */

import { type FieldError, invalid, notSupported, required } from "../field-errors.ts";
import { enumField } from "../schema/enum-fields.ts";
import { isTree, stringAt, type Tree, type TreeNode } from "../tree.ts";
import * as checks from "./checks.ts";
import { Field } from "./field.ts";
import type { TextRule } from "./text-rules.ts";

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

/** Applies a check to each object of a list. */
export function checkEach(
  path: string,
  list: readonly TreeNode[],
  check: (path: string, item: Tree) => readonly FieldError[],
): FieldError[] {
  return list.flatMap((item, index) => check(`${path}[${index}]`, isTree(item) ? item : {}));
}

/** A port number. */
export function checkPort(path: string, value: TreeNode | undefined): FieldError[] {
  return checks.checkPort(Field.named(path, value));
}

/** A label selector as objects have it. */
export function checkLabelSelector(path: string, selector: Tree | undefined): FieldError[] {
  return checks.checkLabelSelector(Field.named(path, selector));
}

/** A field that must not change once it is set. */
export function checkUnchanged(
  path: string,
  now: TreeNode | undefined,
  before: TreeNode | undefined,
): FieldError[] {
  return Field.named(path, now).unchanged(Field.named(path, before));
}

/** An amount that is not below zero. */
export function checkNonNegativeQuantity(path: string, value: TreeNode | undefined): FieldError[] {
  return checks.checkNonNegativeQuantity(Field.named(path, value));
}
