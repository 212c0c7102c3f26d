import type { KubeObject } from "@weir/kube";
import { asJson } from "./diff/as-json.ts";
import type { JsonPath } from "./ignore/json-path.ts";
import { type ManagedFieldsEntry, managedFieldsOf, ownedPaths } from "./ignore/owned-paths.ts";

/** Who last wrote some fields of an object, and how. */
export interface FieldOwner {
  /** The name under which the fields were written, such as "kubectl-edit". */
  readonly manager: string;
  /** "Apply" for server-side apply, otherwise "Update". */
  readonly operation: string;
  /** "" for the object itself, or for example "scale". */
  readonly subresource: string;
  /** When the manager last changed its fields, as the server wrote it; "" if it isn't known. */
  readonly time: string;
  /** True if the manager owns the value at a path, or a part of it. */
  owns(path: JsonPath): boolean;
}

/**
 * The owners of an object's fields, the latest first. Takes an object with its managedFields, as a GET returns it; the
 * objects of a cache have none.
 */
export function fieldOwnersOf(object: KubeObject): readonly FieldOwner[] {
  return managedFieldsOf(object)
    .map((entry) => ownerOf(object, entry))
    .toSorted((a, b) => Number(a.time < b.time) - Number(a.time > b.time));
}

function ownerOf(
  object: KubeObject,
  { manager, operation, subresource, fields, entry }: ManagedFieldsEntry,
): FieldOwner {
  const time = entry["time"];
  let paths: readonly JsonPath[] | undefined;
  return {
    manager,
    operation,
    subresource,
    time: typeof time === "string" ? time : "",
    owns: (path) => (paths ??= ownedPaths(asJson(object), fields)).some((owned) => overlaps(owned, path)),
  };
}

/** True if one path leads to the other one, or to a part of it. */
function overlaps(one: JsonPath, other: JsonPath): boolean {
  const common = Math.min(one.length, other.length);
  return one.slice(0, common).every((step, at) => step === other[at]);
}
