import type { JsonValue } from "@weir/base";
import { KubeApiError } from "@weir/kube";
import {
  applyJsonMergePatch,
  applyJsonPatch,
  applyStrategicMergePatch,
  jsonMergePatchType,
  jsonPatchType,
  PatchError,
  strategicMergePatchType,
} from "@weir/kube/patch";
import type { WriteOptions } from "../api/options.ts";
import type { ApiRequest } from "../api/request.ts";
import { invalid, invalidStatus } from "../field-errors.ts";
import { printGo } from "../managed-fields/check-typed.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { DecodeError, jsonKind } from "../schema/decode.ts";
import {
  badRequestError,
  plainError,
  tooLargeError,
  unknownContentTypeError,
  unprocessableError,
  unsupportedMediaTypeError,
} from "../status-errors.ts";
import { type StoredObject, treeOf } from "../storage/stored-object.ts";
import { parseJson, TextError } from "../text/parse-json.ts";
import { isTree, type Tree, type TreeNode } from "../tree.ts";
import { decodeBody } from "./read-body.ts";

/** The content type of server-side apply. */
export const applyPatchType = "application/apply-patch+yaml";

const maxOperations = 10_000;

/** What a patch makes of an object, in the version of the resource, with defaults. */
export interface Patched {
  readonly object: Tree;
  readonly warnings: readonly string[];
}

const patchTypes: readonly string[] = [
  jsonPatchType,
  jsonMergePatchType,
  strategicMergePatchType,
  applyPatchType,
];

/** The patch types that a resource takes. */
export function patchTypesOf(resource: ServedResource): readonly string[] {
  return [
    jsonPatchType,
    jsonMergePatchType,
    ...(resource.codec.patchSchema === undefined ? [] : [strategicMergePatchType]),
    applyPatchType,
  ];
}

/** The patch type of a request. Throws KubeApiError (415) where the resource does not take it. */
export function patchTypeOf(request: ApiRequest, resource: ServedResource): string {
  const [type = ""] = request.headers.contentType.split(";").map((part) => part.trim());
  if (type !== "" && !patchTypes.includes(type)) {
    throw unknownContentTypeError();
  }
  const known = patchTypesOf(resource);
  if (!known.includes(type)) {
    throw unsupportedMediaTypeError(known);
  }
  return type;
}

/** A JSON, merge or strategic merge patch, and the resource that it is for. */
export interface PatchOf<Resource> {
  readonly resource: Resource;
  readonly request: ApiRequest;
  readonly type: string;
  readonly options: Pick<WriteOptions, "fieldValidation">;
}

/** Applies a patch to an object as it is kept. Throws KubeApiError (400, 413, 422). */
export function applyPatch(current: StoredObject, patch: PatchOf<ServedResource>): Patched {
  return patchLive({ ...patch, live: patch.resource.fromStorage(treeOf(current)) });
}

/** Applies such a patch to an object that is at hand, in the version of the resource. Throws KubeApiError. */
export function patchLive(asked: PatchOf<Pick<ServedResource, "codec">> & { readonly live: Tree }): Patched {
  const { resource, live, request, type, options } = asked;
  const { value: patch, duplicates } = parsePatch(request);
  const patched = patchTree(live, { patch, type, schema: resource.codec.patchSchema });
  const shown =
    type === strategicMergePatchType ? printGo(patch) : JSON.stringify(sortedWhereMerged(patched, patch));
  const prefix = type === jsonPatchType ? "json patch " : "";
  try {
    return decodeBody(patched, resource, {
      duplicates: duplicates.map((text) => prefix + text),
      validation: options.fieldValidation,
    });
  } catch (error) {
    throw error instanceof DecodeError ? invalidPatch(shown, error.message) : error;
  }
}

function parsePatch(request: ApiRequest): { value: TreeNode; duplicates: readonly string[] } {
  try {
    return parseJson(Buffer.from(request.body).toString());
  } catch (error) {
    throw error instanceof TextError ? badRequestError(`error decoding patch: ${error.message}`) : error;
  }
}

/** A patch as it was read; a strategic merge needs the schema. */
interface ReadPatch {
  readonly patch: TreeNode;
  readonly type: string;
  readonly schema: ServedResource["codec"]["patchSchema"];
}

function patchTree(live: Tree, read: ReadPatch): Tree {
  try {
    return asTree(patchValue(live, read));
  } catch (error) {
    if (!(error instanceof PatchError)) {
      throw error;
    }
    throw refusalOf(error, read.type);
  }
}

/** A JSON patch that cannot be carried out is understood, and refused; a merge that fails has no code at all. */
function refusalOf(error: PatchError, type: string): KubeApiError {
  if (type === jsonPatchType) {
    return unprocessableError();
  }
  return error.kind === "bad-patch" ? badRequestError(error.message) : plainError(error.message);
}

/** As the API server shows what a merge made: what the patch went into has its keys in order. */
function sortedWhereMerged(merged: TreeNode, patch: TreeNode): TreeNode {
  if (!isTree(merged) || !isTree(patch)) {
    return merged;
  }
  const keys = Object.keys(merged).sort();
  return Object.fromEntries(
    keys.map((key) => [key, sortedWhereMerged(merged[key] ?? null, patch[key] ?? null)]),
  );
}

function patchValue(live: Tree, { patch, type, schema }: ReadPatch): JsonValue {
  if (type === jsonPatchType) {
    requireOperations(patch);
    if (patch.length > maxOperations) {
      const why = `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`;
      throw tooLargeError(why);
    }
    return applyJsonPatch(live, patch);
  }
  if (!isTree(patch)) {
    const prefix = type === jsonMergePatchType ? "error decoding patch: " : "";
    throw badRequestError(
      `${prefix}json: cannot unmarshal ${jsonKind(patch)} into Go value of type map[string]interface {}`,
    );
  }
  return type === jsonMergePatchType
    ? applyJsonMergePatch(live, patch)
    : applyStrategicMergePatch(live, patch, schema);
}

function requireOperations(patch: TreeNode): asserts patch is Tree[] {
  const operations: readonly TreeNode[] = Array.isArray(patch) ? patch : [];
  const wrong = Array.isArray(patch) ? operations.find((operation) => !isTree(operation)) : patch;
  if (wrong !== undefined) {
    const type = Array.isArray(patch) ? "handlers.jsonPatchOp" : "[]handlers.jsonPatchOp";
    throw badRequestError(
      `error decoding patch: json: cannot unmarshal ${jsonKind(wrong)} into Go value of type ${type}`,
    );
  }
}

function invalidPatch(shown: string, why: string): KubeApiError {
  return new KubeApiError(invalidStatus({ group: "", kind: "" }, "", [invalid("patch", shown, why)]));
}

/** A tree of its own: what a patch function returns may share parts. A patch may leave no object at all. */
function asTree(value: JsonValue): Tree {
  const copy: unknown = structuredClone(value);
  if (!isTree(copy)) {
    throw badRequestError("the patched document is no object");
  }
  return copy;
}
