import { EditError, type Mapping, stringIdentity, type Value } from "@weir/yaml/ruamel-yaml";

/** The value of a field, if there is one. */
export function fieldOf(mapping: Mapping, name: string): Value | undefined {
  return mapping.get(stringIdentity(name));
}

/** The value of a field that has to be there. */
export function requireField(mapping: Mapping, name: string): Value {
  const value = fieldOf(mapping, name);
  if (value === undefined) {
    throw new EditError(`the field "${name}" is missing`, lineOf(mapping));
  }
  return value;
}

/** The mapping that a field has to hold. */
export function requireMappingField(mapping: Mapping, name: string): Mapping {
  return requireMapping(requireField(mapping, name), `the field "${name}"`);
}

/** A value that has to be a mapping; `what` says in the error which one. */
export function requireMapping(value: Value, what: string): Mapping {
  if (value.kind !== "mapping") {
    throw new EditError(`${what} is not a mapping`, lineOf(value));
  }
  return value;
}

/** Whether it is a collection or a string with nothing in it, so that going through it comes upon nothing. */
export function isEmpty(value: Value): boolean {
  switch (value.kind) {
    case "sequence":
      return value.items.length === 0;
    case "mapping":
      return value.keys().next().done === true;
    case "set":
      return value.members.size === 0;
    case "scalar":
      return stringOf(value) === "";
  }
}

/** The text of a string; nothing for anything else, numbers and booleans too. */
export function stringOf(value: Value | undefined): string | undefined {
  return value?.kind === "scalar" && value.type === "string" ? value.text : undefined;
}

/** The line, counted from 1, on which a value that was read begins. */
export function lineOf(value: Value): number | undefined {
  return value.source === undefined ? undefined : value.source.line + 1;
}
