import { isTooDeep, type JsonValue, maxJsonDepth } from "@weir/base";

/**
 * What is wrong: `bad-patch` with the patch, `bad-object` with an object that it was to be computed from or
 * applied to, `failed-test` an operation "test" of a JSON patch that did not hold.
 */
export type PatchErrorKind = "bad-patch" | "bad-object" | "failed-test";

/** A patch cannot be computed or applied; the message names the field. Nothing was changed. */
export class PatchError extends Error {
  override readonly name = "PatchError";
  readonly kind: PatchErrorKind;

  constructor(kind: PatchErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Throws a PatchError where one of `values` is nested deeper than patches are computed for. */
export function requireShallow(kind: PatchErrorKind, ...values: readonly JsonValue[]): void {
  if (values.some(isTooDeep)) {
    throw new PatchError(kind, `objects and lists are nested more than ${maxJsonDepth} deep`);
  }
}
