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

/** What an API server takes at most: operations of one patch, and characters copied by all of them together. */
const maxOperations = 10_000;
const maxCopiedCharacters = 3 * 1024 * 1024;

/**
 * The document that results from an RFC 6902 patch; neither is changed, and nothing is done by halves. As an API
 * server does, `replace` also sets a member that is not there, and a place in a list may be counted from its end
 * (-1). Throws PatchError: `failed-test` where a test does not hold, else `bad-patch`.
 */
export function applyJsonPatch(document: JsonValue, patch: JsonValue): JsonValue {
  requireShallow("bad-object", document);
  requireShallow("bad-patch", patch);
  const draft = new JsonDocument(document);
  let copied = 0;
  for (const operation of operationsOf(patch)) {
    copied += applyOperation(draft, operation);
    if (copied > maxCopiedCharacters) {
      throw new PatchError("bad-patch", `a JSON patch may copy ${maxCopiedCharacters} characters at most`);
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
      `a JSON patch may have ${maxOperations} operations, not ${patch.length}`,
    );
  }
  return patch;
}

/** Does one operation; returns how many characters it copied. */
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
    throw new PatchError("bad-patch", `there is nothing at ${from} to copy`);
  }
  requireShallow("bad-patch", value);
  draft.add(path, value);
  return stringifyGoJson(value).length;
}

/** A member that is not there is null to a test. */
function test(draft: JsonDocument, path: string, expected: JsonValue): void {
  if (!equalJson(draft.get(path) ?? null, expected)) {
    throw new PatchError("failed-test", `testing value ${path} failed`);
  }
}

function textOf(operation: JsonObject, field: string): string {
  const text = memberOf(operation, field);
  if (typeof text !== "string") {
    throw new PatchError("bad-patch", `an operation of a JSON patch must have ${field} as text`);
  }
  return text;
}

function valueOf(operation: JsonObject): JsonValue {
  const value = memberOf(operation, "value");
  if (value === undefined) {
    throw new PatchError(
      "bad-patch",
      `an operation of a JSON patch on ${textOf(operation, "path")} has no value`,
    );
  }
  return value;
}
