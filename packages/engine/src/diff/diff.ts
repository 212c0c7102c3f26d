import { isEmptyObject, type JsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import {
  createThreeWayJsonMergePatch,
  createThreeWayStrategicPatch,
  jsonMergePatchType,
  PatchError,
  type PatchSchema,
  strategicMergePatchType,
} from "@weir/kube/patch";
import { asJson } from "./as-json.ts";
import { lastAppliedOf, lastAppliedText, withLastApplied } from "./last-applied.ts";
import { isInSync } from "./normalize.ts";

/** The objects to compare, and their patch rules. */
export interface DiffInput {
  /** The manifest; if it has no last-applied annotation, one is added (see withLastApplied). */
  readonly target: KubeObject;
  /** The live object, in the target's API version. */
  readonly live: KubeObject;
  /** The patch rules of the kind; undefined for custom resources, which are merged as plain JSON. */
  readonly schema: PatchSchema | undefined;
}

/** The request that brings a live object to its target. */
export type DiffResult =
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "patch";
      readonly patchType: typeof strategicMergePatchType | typeof jsonMergePatchType;
      readonly patch: JsonObject;
    };

/**
 * The patch that `kubectl apply` would send for `target`; "unchanged" if the patch is empty or, according to
 * isInSync, can't change anything. Throws PatchError if the live object is a different object or in another
 * API version, or if lists can't be merged by their strategy.
 */
export function diffThreeWay({ target, live, schema }: DiffInput): DiffResult {
  const wanted = lastAppliedText(target) === undefined ? withLastApplied(target) : target;
  requireSameObject(wanted, live);
  if (isInSync(wanted, live, schema)) {
    return { kind: "unchanged" };
  }
  const objects = { original: lastAppliedOf(live), modified: asJson(wanted), current: asJson(live) };
  return schema === undefined
    ? toResult(jsonMergePatchType, createThreeWayJsonMergePatch(objects))
    : toResult(strategicMergePatchType, createThreeWayStrategicPatch(objects, schema));
}

function toResult(
  patchType: typeof strategicMergePatchType | typeof jsonMergePatchType,
  patch: JsonObject,
): DiffResult {
  return isEmptyObject(patch) ? { kind: "unchanged" } : { kind: "patch", patchType, patch };
}

function requireSameObject(target: KubeObject, live: KubeObject): void {
  const [wanted, there] = [target, live].map(
    ({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name ?? ""}`,
  );
  if (wanted !== there) {
    throw new PatchError("bad-object", `cannot patch ${there ?? ""} to become ${wanted ?? ""}`);
  }
}
