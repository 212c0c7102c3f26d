import {
  equalJson,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  stringifyGoJson,
} from "@weir/base";
import { JsonDocument } from "./json-document.ts";
import { PatchError, requireShallow } from "./patch-error.ts";

/** The limits of an API server: operations in one patch, and characters that all of them together copy. */
const maxOperations = 10_000;
const maxCopiedCharacters = 3 * 1024 * 1024;

/**
 * Applies an RFC 6902 patch and returns the resulting document; modifies neither, and never applies only a
 * part. Like in an API server, `replace` also sets a missing member, and list indexes can count from the end
 * (-1). Throws PatchError: `failed-test` if a test fails, or else `bad-patch`.
 */
export function applyJsonPatch(document: JsonValue, patch: JsonValue): JsonValue {
  requireShallow("bad-object", document);
  requireShallow("bad-patch", patch);
  const draft = new JsonDocument(document);
  let copied = 0;
  for (const operation of operationsOf(patch)) {
    copied += applyOperation(draft, operation);
    if (copied > maxCopiedCharacters) {
      throw new PatchError("bad-patch", `a JSON patch can copy at most ${maxCopiedCharacters} characters`);
    }
  }
  requireShallow("bad-patch", draft.value);
  return draft.value;
}

function operationsOf(patch: JsonValue): readonly JsonObject[] {
  if (!isJsonArray(patch) || !patch.every(isJsonObject)) {
    throw new PatchError("bad-patch", "a JSON patch must be a list of operations");
  }
  if (patch.length > maxOperations) {
    throw new PatchError(
      "bad-patch",
      `a JSON patch can have at most ${maxOperations} operations, not ${patch.length}`,
    );
  }
  return patch;
}

/** Applies one operation; returns how many characters it copied. */
function applyOperation(draft: JsonDocument, operation: JsonObject): number {
  const path = textOf(operation, "path");
  const op = textOf(operation, "op");
  switch (op) {
    case "add":
      draft.add(path, valueOf(operation));
      return 0;
    case "remove":
      draft.remove(path);
      return 0;
    case "replace":
      draft.replace(path, valueOf(operation));
      return 0;
    case "move":
      draft.move(textOf(operation, "from"), path);
      return 0;
    case "copy":
      return copy(draft, textOf(operation, "from"), path);
    case "test":
      test(draft, path, valueOf(operation));
      return 0;
    default:
      throw new PatchError("bad-patch", `unknown operation ${JSON.stringify(op)}`);
  }
}

function copy(draft: JsonDocument, from: string, path: string): number {
  const value = draft.get(from);
  if (value === undefined) {
    throw new PatchError("bad-patch", `there is nothing to copy at ${from}`);
  }
  requireShallow("bad-patch", value);
  draft.add(path, value);
  return stringifyGoJson(value).length;
}

/** In a test, a missing member counts as null. */
function test(draft: JsonDocument, path: string, expected: JsonValue): void {
  if (!equalJson(draft.get(path) ?? null, expected)) {
    throw new PatchError("failed-test", `testing value ${path} failed`);
  }
}

function textOf(operation: JsonObject, field: string): string {
  const text = memberOf(operation, field);
  if (typeof text !== "string") {
    throw new PatchError("bad-patch", `in a JSON patch, ${field} of each operation must be a string`);
  }
  return text;
}

function valueOf(operation: JsonObject): JsonValue {
  const value = memberOf(operation, "value");
  if (value === undefined) {
    throw new PatchError(
      "bad-patch",
      `the operation on ${textOf(operation, "path")} in a JSON patch has no value`,
    );
  }
  return value;
}
