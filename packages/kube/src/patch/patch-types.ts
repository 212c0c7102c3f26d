import type { PatchField, PatchSchema } from "./patch-schema.ts";

/** The rules of one field, with the type name of its value (or of the items of its list). */
export interface FieldRules {
  readonly strategies: PatchField["strategies"];
  readonly mergeKey?: string;
  readonly type?: string;
  readonly isQuantity?: boolean;
}

/** Parses the strategies in an API, e.g. "merge,retainKeys"; ignores unknown words. */
export function parseStrategies(text: string): FieldRules["strategies"] {
  return text.split(",").filter(isStrategy);
}

/** The fields of a type by its name; undefined for an unknown type. */
export type TypeFields = (type: string) => ReadonlyMap<string, FieldRules> | undefined;

/**
 * The schema of a type; undefined for an unknown type. It looks up nested types only when they're requested,
 * and stores them: types can refer to themselves.
 */
export function schemaOfType(type: string, fieldsOf: TypeFields): PatchSchema | undefined {
  return findSchema(type, fieldsOf, new Map());
}

/** The fields of a type and of all nested types, read immediately, so that their source can be freed. */
export function fieldsWithin(type: string, fieldsOf: TypeFields): TypeFields {
  const read = new Map<string, ReadonlyMap<string, FieldRules>>();
  const wanted = [type];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const fields = read.has(name) ? undefined : fieldsOf(name);
    if (fields !== undefined) {
      read.set(name, fields);
      wanted.push(...[...fields.values()].flatMap((rules) => rules.type ?? []));
    }
  }
  return (name) => read.get(name);
}

function findSchema(
  type: string,
  fieldsOf: TypeFields,
  known: Map<string, PatchSchema | undefined>,
): PatchSchema | undefined {
  if (!known.has(type)) {
    const rules = fieldsOf(type);
    known.set(type, rules && createSchema(rules, (name) => findSchema(name, fieldsOf, known)));
  }
  return known.get(type);
}

function createSchema(
  rules: ReadonlyMap<string, FieldRules>,
  find: (type: string) => PatchSchema | undefined,
): PatchSchema {
  const fields = new Map<string, PatchField>();
  return {
    field(name) {
      const rule = rules.get(name);
      if (rule !== undefined && !fields.has(name)) {
        fields.set(name, toField(rule, find));
      }
      return fields.get(name);
    },
  };
}

function toField(rule: FieldRules, find: (type: string) => PatchSchema | undefined): PatchField {
  const { strategies, mergeKey, type, isQuantity } = rule;
  const schema = type === undefined ? undefined : find(type);
  return {
    strategies,
    ...(mergeKey === undefined ? {} : { mergeKey }),
    ...(schema === undefined ? {} : { schema }),
    ...(isQuantity === true ? { isQuantity } : {}),
  };
}

function isStrategy(word: string): word is FieldRules["strategies"][number] {
  return word === "merge" || word === "replace" || word === "retainKeys";
}
