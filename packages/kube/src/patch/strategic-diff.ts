import {
  compareGoStrings,
  equalJson,
  isEmptyObject,
  isJsonArray,
  isJsonObject,
  type JsonDraft,
  type JsonObject,
  type JsonValue,
  memberOf,
  membersOf,
  setMember,
} from "@weir/base";
import {
  deleteItemsDirective,
  directiveFor,
  elementOrderDirective,
  patchDirective,
  retainKeysDirective,
} from "./directives.ts";
import { type FieldStrategy, strategyOf } from "./field-strategy.ts";
import { diffLists } from "./list-diff.ts";
import { kindOf } from "./list-items.ts";
import { PatchError } from "./patch-error.ts";
import type { PatchSchema } from "./patch-schema.ts";

/** Which differences a patch contains. */
export interface DiffMode {
  /** Values that were added or changed. */
  readonly changes: boolean;
  /** Values that were removed. */
  readonly deletions: boolean;
}

/** Which differences to find, and the patch rules of the object. */
export interface DiffOptions extends DiffMode {
  readonly schema: PatchSchema | undefined;
}

/** The position of a map: its schema, and whether the patch must list the keys to keep. */
interface Place {
  readonly schema: PatchSchema | undefined;
  readonly retainKeys: boolean;
}

/**
 * A strategic merge patch with the differences from `original` to `modified` that `mode` selects, with the
 * directives that preserve the order of lists. `{}` if there are none. Throws PatchError for lists that can't
 * be merged by their strategy.
 */
export function diffStrategic(
  original: JsonObject,
  modified: JsonObject,
  { schema, ...mode }: DiffOptions,
): JsonObject {
  return diffMaps(original, modified, { schema, retainKeys: false }, mode);
}

function diffMaps(original: JsonObject, modified: JsonObject, place: Place, mode: DiffMode): JsonDraft {
  const patch: JsonDraft = {};
  for (const [key, value] of membersOf(modified)) {
    const before = memberOf(original, key);
    if (before !== undefined) {
      diffField(patch, key, before, value, place.schema, mode);
    } else if (mode.changes) {
      setMember(patch, key, value);
    }
  }
  if (mode.deletions) {
    for (const key of keysOnlyIn(original, modified)) {
      setMember(patch, key, null);
    }
  }
  if (place.retainKeys) {
    addRetainedKeys(patch, original, modified);
  }
  return patch;
}

function diffField(
  patch: JsonDraft,
  key: string,
  before: JsonValue,
  after: JsonValue,
  schema: PatchSchema | undefined,
  mode: DiffMode,
): void {
  if (key === patchDirective) {
    diffDirective(patch, before, after);
  } else if (isJsonObject(before) && isJsonObject(after)) {
    diffMapField(patch, key, before, after, strategyOf(schema, key), mode);
  } else if (isJsonArray(before) && isJsonArray(after) && strategyOf(schema, key).merge) {
    diffListField(patch, key, before, after, strategyOf(schema, key), mode);
  } else if (mode.changes && (kindOf(before) !== kindOf(after) || !equalJson(before, after))) {
    setMember(patch, key, after);
  }
}

/** The manifest itself is a patch. */
function diffDirective(patch: JsonDraft, before: JsonValue, after: JsonValue): void {
  if (typeof before !== "string" || typeof after !== "string") {
    throw new PatchError("bad-object", `invalid value for special key: ${patchDirective}`);
  }
  if (before !== after) {
    setMember(patch, patchDirective, after);
  }
}

/** @NOTE as kubectl: a map that is replaced as a whole is sent even if it's equal. */
function diffMapField(
  patch: JsonDraft,
  key: string,
  before: JsonObject,
  after: JsonObject,
  strategy: FieldStrategy,
  mode: DiffMode,
): void {
  if (strategy.replace) {
    if (mode.changes) {
      setMember(patch, key, after);
    }
    return;
  }
  const difference = diffMaps(before, after, strategy, mode);
  if (!isEmptyObject(difference)) {
    setMember(patch, key, difference);
  }
}

function diffListField(
  patch: JsonDraft,
  key: string,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  strategy: FieldStrategy,
  mode: DiffMode,
): void {
  const difference = diffLists(before, after, {
    ...mode,
    mergeKey: strategy.mergeKey,
    diffItem: (original, modified) => diffMaps(original, modified, strategy, mode),
  });
  setUnlessEmpty(patch, key, difference.items);
  setUnlessEmpty(patch, directiveFor(deleteItemsDirective, key), difference.deleted);
  setUnlessEmpty(patch, directiveFor(elementOrderDirective, key), difference.order);
}

function setUnlessEmpty(patch: JsonDraft, key: string, list: readonly JsonValue[]): void {
  if (list.length > 0) {
    setMember(patch, key, list);
  }
}

/** The directive is added if the patch changes the map or if keys of the old map must be removed. */
function addRetainedKeys(patch: JsonDraft, original: JsonObject, modified: JsonObject): void {
  const kept = keysWithValue(modified);
  const hasOthers = keysOnlyIn(original, modified).some((key) => memberOf(original, key) !== null);
  if (kept.length > 0 && (hasOthers || !isEmptyObject(patch))) {
    setMember(patch, retainKeysDirective, kept.sort(compareGoStrings));
  }
}

function keysWithValue(object: JsonObject): string[] {
  return [...membersOf(object)].filter(([, value]) => value !== null).map(([key]) => key);
}

function keysOnlyIn(object: JsonObject, other: JsonObject): string[] {
  return [...membersOf(object)].map(([key]) => key).filter((key) => memberOf(other, key) === undefined);
}
