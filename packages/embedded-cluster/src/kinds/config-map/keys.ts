import { type FieldError, faults, forbidden } from "../../field-errors.ts";
import { equalNodes, isTrueAt, own, stringMapAt, type Tree, treeAt } from "../../tree.ts";
import { configKey } from "../../validate/text-rules.ts";
import { checkText } from "../../validate/tree-checks.ts";

/** The number of keys of a field. */
export function keys(object: Tree, field: string): number {
  return Object.keys(treeAt(object, field) ?? {}).length;
}

/** The most that a ConfigMap or Secret may hold. */
export const maxBytes = 1024 * 1024;

/** The keys of a field. */
export function checkKeys(object: Tree, field: string): FieldError[] {
  return [...stringMapAt(object, field).keys()].flatMap((key) =>
    checkText(`${field}[${key}]`, key, configKey),
  );
}

/** The bytes that the values of a field stand for, which are base64. */
export function encodedBytes(object: Tree, field: string): number {
  return [...stringMapAt(object, field).values()].reduce(
    (sum, text) => sum + Buffer.byteLength(text, "base64"),
    0,
  );
}

/** An object that is marked as immutable keeps its mark and its content. */
export function checkImmutable(object: Tree, old: Tree, fields: readonly string[]): FieldError[] {
  if (!isTrueAt(old, "immutable")) {
    return [];
  }
  const why = "field is immutable when `immutable` is set";
  return faults(
    isTrueAt(object, "immutable") || forbidden("immutable", why),
    fields.flatMap((field) =>
      equalNodes(own(object, field), own(old, field)) ? [] : [forbidden(field, why)],
    ),
  );
}
