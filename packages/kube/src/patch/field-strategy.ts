import type { PatchField, PatchSchema } from "./patch-schema.ts";

/** How one field is merged, read from its schema. */
export interface FieldStrategy {
  /** Lists are merged item by item, maps field by field; without it lists are replaced, maps merged. */
  readonly merge: boolean;
  /** Maps are replaced too. */
  readonly replace: boolean;
  /** The patch tells which keys may stay. */
  readonly retainKeys: boolean;
  /** By which field the items of a merged list are matched; "" for scalars. */
  readonly mergeKey: string;
  /** Of the map, or of the items of the list. */
  readonly schema: PatchSchema | undefined;
}

/** The strategy of the field `name`; a field without rules merges as a map and is replaced as a list. */
export function strategyOf(schema: PatchSchema | undefined, name: string): FieldStrategy {
  const field = schema?.field(name);
  return field === undefined ? plain : fromField(field);
}

const plain: FieldStrategy = {
  merge: false,
  replace: false,
  retainKeys: false,
  mergeKey: "",
  schema: undefined,
};

function fromField(field: PatchField): FieldStrategy {
  return {
    merge: field.strategies.includes("merge"),
    replace: field.strategies.includes("replace"),
    retainKeys: field.strategies.includes("retainKeys"),
    mergeKey: field.mergeKey ?? "",
    schema: field.schema,
  };
}
