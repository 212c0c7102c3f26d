import { isTooDeep, type JsonValue, maxJsonDepth } from "@weir/base";

/**
 * `bad-patch`: the patch is invalid. `bad-object`: the object that it was to be computed from or applied to
 * is invalid. `failed-test`: a "test" operation of a JSON patch failed.
 */
export type PatchErrorKind = "bad-patch" | "bad-object" | "failed-test";

/** A patch can't be computed or applied; the message names the field. Nothing was changed. */
export class PatchError extends Error {
  override readonly name = "PatchError";
  readonly kind: PatchErrorKind;

  constructor(kind: PatchErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Throws a PatchError if one of `values` is nested too deeply for patches. */
export function requireShallow(kind: PatchErrorKind, ...values: readonly JsonValue[]): void {
  if (values.some(isTooDeep)) {
    throw new PatchError(kind, `objects and lists are nested more than ${maxJsonDepth} deep`);
  }
}
