/** The patch rules of one field. */
export interface PatchField {
  /**
   * x-kubernetes-patch-strategy: how a list or map is merged; empty means that a list is replaced and a map
   * is merged.
   */
  readonly strategies: readonly ("merge" | "replace" | "retainKeys")[];
  /** x-kubernetes-patch-merge-key: the field that identifies the items of a merged list. */
  readonly mergeKey?: string;
  /**
   * The fields of the object, or of the items of the list or map; undefined for scalars and free-form values.
   */
  readonly schema?: PatchSchema;
  /** True if the value, or each value of the map or list, is a quantity: "1" and "1000m" are equal. */
  readonly isQuantity?: boolean;
}

/** The patch rules of a kind, field by field, from the server's OpenAPI document or the built-in table. */
export interface PatchSchema {
  field(name: string): PatchField | undefined;
}
