import { EditError, type Mapping, stringIdentity, type Value } from "@weir/yaml/ruamel-yaml";

/** The value of a field, or undefined. */
export function fieldOf(mapping: Mapping, name: string): Value | undefined {
  return mapping.get(stringIdentity(name));
}

/** The value of a required field. */
export function requireField(mapping: Mapping, name: string): Value {
  const value = fieldOf(mapping, name);
  if (value === undefined) {
    throw new EditError(`the field "${name}" is missing`, lineOf(mapping));
  }
  return value;
}

/** The mapping in a required field. */
export function requireMappingField(mapping: Mapping, name: string): Mapping {
  return requireMapping(requireField(mapping, name), `the field "${name}"`);
}

/** Requires a value to be a mapping; `what` names the value in the error. */
export function requireMapping(value: Value, what: string): Mapping {
  if (value.kind !== "mapping") {
    throw new EditError(`${what} is not a mapping`, lineOf(value));
  }
  return value;
}

/** True for an empty collection or string, which contains nothing to look through. */
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

/** The text of a string; undefined for anything else, including numbers and Booleans. */
export function stringOf(value: Value | undefined): string | undefined {
  return value?.kind === "scalar" && value.type === "string" ? value.text : undefined;
}

/** The line, counted from 1, where a parsed value starts. */
export function lineOf(value: Value): number | undefined {
  return value.source === undefined ? undefined : value.source.line + 1;
}
