import type { FieldError } from "../field-errors.ts";
import type { Field } from "./field.ts";

/** The types that an object can have. Each is a field with the name of the type. */
export interface Types {
  /** What errors call the object, e.g. "volume". */
  readonly what: string;
  /** The checks of these fields. A type without a check is always right. */
  readonly checks: ReadonlyMap<string, (field: Field) => readonly FieldError[]>;
}

/** Of the fields with these names exactly one must be set. The first is checked, and the others are refused. */
export function checkOneType(object: Field, names: readonly string[], { what, checks }: Types): FieldError[] {
  const [first, ...more] = names.filter((name) => object.at(name).isSet);
  if (first === undefined) {
    return [object.required(`must specify a ${what} type`)];
  }
  return [
    ...(checks.get(first)?.(object.at(first)) ?? []),
    ...object.all(more, (other) => other.forbidden(`may not specify more than 1 ${what} type`)),
  ];
}
