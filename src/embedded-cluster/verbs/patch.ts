import type { JsonValue } from "../../base/json.ts";
import { KubeApiError } from "../../kube/api-status.ts";
import { applyJsonMergePatch } from "../../kube/patch/json-merge.ts";
import { applyJsonPatch } from "../../kube/patch/json-patch.ts";
import { PatchError } from "../../kube/patch/patch-error.ts";
import { jsonMergePatchType, jsonPatchType, strategicMergePatchType } from "../../kube/patch/patch-type.ts";
import { applyStrategicMergePatch } from "../../kube/patch/strategic-merge.ts";
import type { WriteOptions } from "../api/options.ts";
import type { ApiRequest } from "../api/request.ts";
import { invalid, invalidStatus } from "../field-errors.ts";
import { printGo } from "../managed-fields/check-typed.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { DecodeError } from "../schema/decode.ts";
import {
  badRequestError,
  tooLargeError,
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
  const [type = ""] = request.headers.contentType.split(";");
  const known = patchTypesOf(resource);
  if (!known.includes(type.trim())) {
    throw unsupportedMediaTypeError(known);
  }
  return type.trim();
}

/** Applies a JSON, merge or strategic merge patch. Throws KubeApiError (400, 413, 422). */
export function applyPatch(
  resource: ServedResource,
  current: StoredObject,
  request: ApiRequest,
  type: string,
  options: WriteOptions,
): Patched {
  const live = resource.fromStorage(treeOf(current));
  const { value: patch, duplicates } = parsePatch(request);
  const patched = patchTree(resource, live, patch, type);
  const shown = type === strategicMergePatchType ? printGo(patch) : JSON.stringify(patched);
  const prefix = type === jsonPatchType ? "json patch " : "";
  try {
    return decodeBody(
      patched,
      duplicates.map((path) => prefix + path),
      resource,
      options.fieldValidation,
    );
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

function patchTree(resource: ServedResource, live: Tree, patch: TreeNode, type: string): Tree {
  try {
    return asTree(patchValue(resource, live, patch, type));
  } catch (error) {
    if (!(error instanceof PatchError)) {
      throw error;
    }
    const isMalformed = type === jsonPatchType ? !isOperations(patch) : error.kind === "bad-patch";
    throw isMalformed ? badRequestError(error.message) : unprocessableError();
  }
}

/** A JSON patch that is none is a bad request; one that cannot be carried out is understood, and refused. */
function isOperations(patch: TreeNode): boolean {
  return Array.isArray(patch) && patch.every(isTree);
}

function patchValue(resource: ServedResource, live: Tree, patch: TreeNode, type: string): JsonValue {
  if (type === jsonPatchType) {
    if (Array.isArray(patch) && patch.length > maxOperations) {
      const why = `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`;
      throw tooLargeError(why);
    }
    return applyJsonPatch(live, patch);
  }
  if (!isTree(patch)) {
    const kind = Array.isArray(patch) ? "array" : typeof patch;
    const prefix = type === jsonMergePatchType ? "error decoding patch: " : "";
    throw badRequestError(
      `${prefix}json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`,
    );
  }
  return type === jsonMergePatchType
    ? applyJsonMergePatch(live, patch)
    : applyStrategicMergePatch(live, patch, resource.codec.patchSchema);
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
