import { type FieldError, faults } from "../../field-errors.ts";
import { equalNodes, type Tree, treeAt } from "../../tree.ts";
import type { Field } from "../../validate/field.ts";
import { configKey } from "../../validate/text-rules.ts";

/** The number of keys of a field. */
export function keys(object: Tree, field: string): number {
  return Object.keys(treeAt(object, field) ?? {}).length;
}

/** The most that a ConfigMap or Secret may hold. */
export const maxBytes = 1024 * 1024;

/** The keys of a field. */
export function checkKeys(field: Field): FieldError[] {
  return field.entries.flatMap(([key, value]) => value.holding(key).follows(configKey));
}

/** The bytes that the values of a field stand for. */
export function bytesOf(field: Field, encoding: "utf8" | "base64"): number {
  return [...field.textMap.values()].reduce((sum, text) => sum + Buffer.byteLength(text, encoding), 0);
}

/** An object that is marked as immutable keeps its mark and its content. */
export function checkImmutable(object: Field, old: Field, fields: readonly string[]): FieldError[] {
  if (!old.at("immutable").isTrue) {
    return [];
  }
  const why = "field is immutable when `immutable` is set";
  const mark = object.at("immutable");
  return faults(
    mark.isTrue || mark.forbidden(why),
    object.all(fields, (field) => equalNodes(field.value, old.at(field.path).value) || field.forbidden(why)),
  );
}
