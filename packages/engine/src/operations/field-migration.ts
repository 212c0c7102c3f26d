import {
  draftOf,
  isEmptyObject,
  isJsonObject,
  type JsonObject,
  memberOf,
  membersOf,
  setMember,
} from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { lastAppliedAnnotation } from "../diff/last-applied.ts";
import { isAppliedBy, type ManagedFieldsEntry, managedFieldsOf } from "../ignore/owned-paths.ts";
import type { ServerSideSettings } from "./server-side-settings.ts";

/**
 * The managedFields of a live object that was applied client-side, after its fields are handed over to the field
 * manager of server-side apply; undefined if there is nothing to hand over. Same as csaupgrade in client-go. The
 * last-applied annotation is left to nobody, so that it stays for tools that still need it.
 */
export function migratedManagedFields(
  live: KubeObject,
  { fieldManager, migrateFrom }: Required<ServerSideSettings>,
): readonly JsonObject[] | undefined {
  const entries = managedFieldsOf(live);
  const isOld = ({ manager, operation, subresource }: ManagedFieldsEntry): boolean =>
    operation === "Update" && subresource === "" && migrateFrom.includes(manager);
  const old = entries.filter(isOld);
  const [newest] = old.toSorted((a, b) => Number(timeOf(a) < timeOf(b)) - Number(timeOf(a) > timeOf(b)));
  if (newest === undefined) {
    return undefined;
  }
  const own = entries.find((entry) => isAppliedBy(entry, fieldManager));
  const base = own ?? newest;
  // Sets of fields in other API versions can't be merged.
  const sets = old.filter(({ apiVersion }) => apiVersion === base.apiVersion).map(({ fields }) => fields);
  const fields = withoutLastApplied([base.fields, ...sets].reduce(union));
  const merged = { ...base.entry, manager: fieldManager, operation: "Apply", fieldsV1: fields };
  const others = entries.filter((entry) => !isOld(entry) && entry !== own).map(({ entry }) => entry);
  return [merged, ...others];
}

function timeOf({ entry }: ManagedFieldsEntry): string {
  const time = entry["time"];
  return typeof time === "string" ? time : "";
}

/** All fields of two sets. A name without anything below it is the field itself, which is "." beside others below it. */
function union(a: JsonObject, b: JsonObject): JsonObject {
  if (isEmptyObject(a) || isEmptyObject(b)) {
    const whole = isEmptyObject(a) ? b : a;
    return isEmptyObject(whole) ? whole : { ".": {}, ...whole };
  }
  const both = draftOf(a);
  for (const [name, below] of membersOf(b)) {
    const known = memberOf(a, name);
    const isInBoth = known !== undefined && isJsonObject(known) && isJsonObject(below);
    setMember(both, name, isInBoth ? union(known, below) : below);
  }
  return both;
}

function withoutLastApplied(fields: JsonObject): JsonObject {
  return without(fields, ["f:metadata", "f:annotations", `f:${lastAppliedAnnotation}`]);
}

function without(set: JsonObject, [name = "", ...rest]: readonly string[]): JsonObject {
  const below = memberOf(set, name);
  const others = Object.fromEntries([...membersOf(set)].filter(([each]) => each !== name));
  if (below === undefined || rest.length === 0 || !isJsonObject(below)) {
    return others;
  }
  return { ...others, [name]: without(below, rest) };
}
