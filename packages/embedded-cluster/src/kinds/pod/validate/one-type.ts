import type { FieldError } from "../../../field-errors.ts";
import type { Field } from "../../../validate/field.ts";

/** The types that an object may be of, each stated by a field of that name. */
export interface Types {
  /** What errors call the object, e.g. "volume". */
  readonly what: string;
  /** How fields are checked; those that are not here are good as they are. */
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
