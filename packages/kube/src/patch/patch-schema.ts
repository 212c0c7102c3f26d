/** What a strategic merge patch needs to know of one field of an object. */
export interface PatchField {
  /** x-kubernetes-patch-strategy: how a list or map is merged; empty means replace a list, merge a map. */
  readonly strategies: readonly ("merge" | "replace" | "retainKeys")[];
  /** x-kubernetes-patch-merge-key: by which field the items of a merged list are matched. */
  readonly mergeKey?: string;
  /** The fields of the object, or of the items of the list or map; undefined for scalars and free-form. */
  readonly schema?: PatchSchema;
  /** True where the value, or each value of the map or list, is a quantity: "1" and "1000m" are the same. */
  readonly isQuantity?: boolean;
}

/** The patch rules of a kind, field by field, from the server's OpenAPI or from the shipped table. */
export interface PatchSchema {
  field(name: string): PatchField | undefined;
}
