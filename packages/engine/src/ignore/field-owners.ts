import type { KubeObject } from "@weir/kube";
import { asJson } from "../diff/as-json.ts";
import type { JsonPath } from "./json-path.ts";
import { type ManagedFieldsEntry, managedFieldsOf, ownershipAt } from "./owned-paths.ts";

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
  /** Whether the manager owns the value at a path, or only something around it. */
  ownership(path: JsonPath): "itself" | "around" | "none";
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
  return {
    manager,
    operation,
    subresource,
    time: typeof time === "string" ? time : "",
    ownership: (path) => ownershipAt(asJson(object), fields, path),
  };
}

/** Who last wrote a field: whoever owns the field itself, or else something around it; undefined if nobody does. */
export function ownerOfField(owners: readonly FieldOwner[], path: JsonPath): FieldOwner | undefined {
  return (
    owners.find((owner) => owner.ownership(path) === "itself") ??
    owners.find((owner) => owner.ownership(path) === "around")
  );
}
