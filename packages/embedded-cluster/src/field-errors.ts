/** What is wrong with fields of an object, in the words of the API server (its `field.Error`). */
import { type ApiStatus, type GroupKind, KubeApiError, type StatusCause } from "@weir/kube";
import type { TreeNode } from "./tree.ts";

/** One fault of one field. */
export interface FieldError {
  /** The machine word of the cause, e.g. "FieldValueRequired". */
  readonly reason: string;
  /** The path of the field, e.g. "spec.ports[0].port". */
  readonly field: string;
  /** The message without the path. */
  readonly message: string;
}

/** What a check found: one fault, some, or a condition that stands for none. */
export type Found = FieldError | readonly FieldError[] | boolean;

/** Joins faults, e.g. `faults(checkName(name), isGood || invalid(path, value, why), isTwice && duplicate(path, value))`. */
export function faults(...parts: readonly Found[]): FieldError[] {
  return parts.flatMap((part) => (typeof part === "boolean" ? [] : part));
}

/** A value is missing that must be there. */
export function required(field: string, detail = ""): FieldError {
  return { reason: "FieldValueRequired", field, message: withDetail("Required value", detail) };
}

/** A value has the wrong form. */
export function invalid(field: string, value: TreeNode | undefined, detail: string): FieldError {
  return { reason: "FieldValueInvalid", field, message: withDetail(`Invalid value: ${show(value)}`, detail) };
}

/** A value has the wrong type, by a custom resource's schema. */
export function typeInvalid(field: string, value: TreeNode | undefined, detail: string): FieldError {
  return { ...invalid(field, value, detail), reason: "FieldValueTypeInvalid" };
}

/** A value is none of those that are known; they are listed in the order given. */
export function notSupported(
  field: string,
  value: TreeNode | undefined,
  known: readonly string[],
): FieldError {
  const detail = known.length === 0 ? "" : `supported values: ${known.map(quote).join(", ")}`;
  return {
    reason: "FieldValueNotSupported",
    field,
    message: withDetail(`Unsupported value: ${show(value)}`, detail),
  };
}

/** A value that must be unique is there twice. */
export function duplicate(field: string, value: TreeNode | undefined, detail = ""): FieldError {
  return {
    reason: "FieldValueDuplicate",
    field,
    message: withDetail(`Duplicate value: ${show(value)}`, detail),
  };
}

/** A value that is well formed but not allowed here. */
export function forbidden(field: string, detail: string): FieldError {
  return { reason: "FieldValueForbidden", field, message: withDetail("Forbidden", detail) };
}

/** A text that is too long; it is not repeated. */
export function tooLong(field: string, maxBytes: number): FieldError {
  const bytes = maxBytes === 1 ? "byte" : "bytes";
  return {
    reason: "FieldValueTooLong",
    field,
    message: `Too long: may not be more than ${maxBytes} ${bytes}`,
  };
}

/** A list with too many items. */
export function tooMany(field: string, actual: number, max: number): FieldError {
  const items = max === 1 ? "item" : "items";
  return {
    reason: "FieldValueTooMany",
    field,
    message: `Too many: ${actual}: must have at most ${max} ${items}`,
  };
}

/** The refusal (422 Invalid) that the faults of an object make together. */
export function invalidStatus(kind: GroupKind, name: string, errors: readonly FieldError[]): ApiStatus {
  const qualified = kind.group === "" ? kind.kind : `${kind.kind}.${kind.group}`;
  const texts = [...new Set(errors.map((error) => `${error.field}: ${error.message}`))];
  const [only = ""] = texts;
  const summary = texts.length === 1 ? only : `[${texts.join(", ")}]`;
  return {
    code: 422,
    reason: "Invalid",
    message: `${qualified} ${quote(name)} is invalid${texts.length === 0 ? "" : `: ${summary}`}`,
    details: {
      ...(name === "" ? {} : { name }),
      ...(kind.group === "" ? {} : { group: kind.group }),
      ...(kind.kind === "" ? {} : { kind: kind.kind }),
      ...(errors.length === 0 ? {} : { causes: errors.map(toCause) }),
    },
  };
}

/** Throws KubeApiError (422) where there is any fault. */
export function refuseInvalid(kind: GroupKind, name: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) {
    throw new KubeApiError(invalidStatus(kind, name, errors));
  }
}

/** A text in quotes as Go's %q writes it. */
export function quote(text: string): string {
  return JSON.stringify(text).replaceAll("\\b", "\\x08").replaceAll("\\u007f", "\\x7f");
}

/** A value as an error shows it: texts in quotes, anything else as JSON. */
export function show(value: TreeNode | undefined): string {
  return typeof value === "string" ? quote(value) : JSON.stringify(value ?? null);
}

function toCause({ reason, message, field }: FieldError): StatusCause {
  return { reason, message, field };
}

function withDetail(text: string, detail: string): string {
  return detail === "" ? text : `${text}: ${detail}`;
}
