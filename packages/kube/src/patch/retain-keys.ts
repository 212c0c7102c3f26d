import {
  deleteMember,
  equalJson,
  type JsonDraft,
  type JsonObject,
  type JsonValue,
  memberOf,
  membersOf,
  setMember,
} from "@weir/base";
import {
  deleteItemsDirective,
  elementOrderDirective,
  isDirectiveKey,
  requireList,
  retainKeysDirective,
} from "./directives.ts";
import { PatchError } from "./patch-error.ts";

/**
 * Clears the keys of `result` that the patch's $retainKeys doesn't list, and removes the directive from the
 * patch. Throws PatchError if the patch sets a key that it doesn't list.
 */
export function applyRetainedKeys(result: JsonDraft, patch: JsonDraft): void {
  const directive = memberOf(patch, retainKeysDirective);
  if (directive === undefined) {
    return;
  }
  deleteMember(patch, retainKeysDirective);
  const retained = new Set(requireList(directive, retainKeysDirective));
  requireListed(patch, retained);
  for (const key of Object.keys(result).filter((name) => !retained.has(name))) {
    deleteMember(result, key);
  }
}

/** Moves the directive from one patch to another. Throws PatchError if that patch has a different list. */
export function carryRetainedKeys(result: JsonDraft, patch: JsonDraft): void {
  const directive = memberOf(patch, retainKeysDirective);
  if (directive === undefined) {
    return;
  }
  deleteMember(patch, retainKeysDirective);
  const there = memberOf(result, retainKeysDirective);
  if (there !== undefined && !equalJson(there, directive)) {
    throw new PatchError("bad-patch", `two patches differ in ${retainKeysDirective}`);
  }
  setMember(result, retainKeysDirective, directive);
}

function requireListed(patch: JsonObject, retained: ReadonlySet<JsonValue>): void {
  for (const [key, value] of membersOf(patch)) {
    const isOfList = isDirectiveKey(key, deleteItemsDirective) || isDirectiveKey(key, elementOrderDirective);
    if (value !== null && !isOfList && !retained.has(key)) {
      throw new PatchError("bad-patch", `invalid patch format of retainKeys: ${key} is not listed`);
    }
  }
}
