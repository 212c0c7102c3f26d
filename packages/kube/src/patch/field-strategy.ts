import type { PatchField, PatchSchema } from "./patch-schema.ts";

/** How a field is merged, according to its schema. */
export interface FieldStrategy {
  /**
   * True: lists are merged item by item, and maps field by field. False: lists are replaced, maps are merged.
   */
  readonly merge: boolean;
  /** Maps are replaced too. */
  readonly replace: boolean;
  /** The patch lists the keys to keep. */
  readonly retainKeys: boolean;
  /** The field that identifies the items of a merged list; "" for scalars. */
  readonly mergeKey: string;
  /** The schema of the map, or of the items of the list. */
  readonly schema: PatchSchema | undefined;
}

/** The strategy of the field `name`; without rules, a map is merged and a list is replaced. */
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
