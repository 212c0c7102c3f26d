/** metadata.managedFields: which manager owns which fields, read and written as the API server does. */
import { isTree, stringAt, type Tree, type TreeNode } from "../tree.ts";
import { emptySet, type FieldSet, isEmptySet, parseFields, printFields, union } from "./field-set.ts";

/** What one manager owns through one kind of operation. */
export interface ManagerEntry {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  /** The version of the object in whose terms `fields` speaks. */
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string;
  readonly fields: FieldSet;
}

/** The entries of an object by their identity. */
export type Managers = ReadonlyMap<string, ManagerEntry>;

/** What tells entries apart: an applier has one entry whatever the version, an updater one for each. */
export function managerId(entry: Omit<ManagerEntry, "time" | "fields">): string {
  const apiVersion = entry.operation === "Apply" ? "" : entry.apiVersion;
  return JSON.stringify([entry.manager, entry.operation, apiVersion, entry.subresource]);
}

/** Reads metadata.managedFields; undefined where an entry is not well formed. */
export function readManagers(list: TreeNode | undefined): Managers | undefined {
  const managers = new Map<string, ManagerEntry>();
  for (const item of Array.isArray(list) ? list : []) {
    const entry = isTree(item) ? readEntry(item) : undefined;
    if (entry === undefined) {
      return undefined;
    }
    managers.set(managerId(entry), entry);
  }
  return managers;
}

/** The entries as metadata.managedFields holds them, in the API server's order. */
export function printManagers(managers: Managers): Tree[] {
  return [...managers.values()].sort(compareEntries).map((entry) => ({
    manager: entry.manager,
    operation: entry.operation,
    apiVersion: entry.apiVersion,
    ...(entry.time === "" ? {} : { time: entry.time }),
    fieldsType: "FieldsV1",
    fieldsV1: printFields(entry.fields),
    ...(entry.subresource === "" ? {} : { subresource: entry.subresource }),
  }));
}

/** How many updaters an object remembers by name. */
const maxUpdaters = 10;

/** Puts the oldest updaters together into one entry where there are more than an object is to remember. */
export function capUpdaters(managers: Managers): Managers {
  const updaters = [...managers].filter(([, entry]) => entry.operation === "Update").sort(byAge);
  const kept = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  let surplus = updaters.length - maxUpdaters;
  for (const [id, entry] of updaters) {
    if (surplus <= 0) {
      break;
    }
    const first = firstOfVersion.get(entry.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(entry.apiVersion, id);
    } else {
      foldInto(kept, first, id, entry);
      surplus--;
    }
  }
  return kept;
}

function foldInto(managers: Map<string, ManagerEntry>, first: string, id: string, entry: ManagerEntry): void {
  const ancient = { ...entry, manager: "ancient-changes", subresource: "" };
  const ancientId = managerId(ancient);
  const before = managers.get(ancientId) ?? managers.get(first);
  managers.delete(first);
  managers.delete(id);
  managers.set(ancientId, { ...ancient, fields: union(entry.fields, before?.fields ?? emptySet) });
}

function readEntry(item: Tree): ManagerEntry | undefined {
  const operation = stringAt(item, "operation");
  const apiVersion = stringAt(item, "apiVersion");
  const fields = parseFields(item["fieldsV1"]);
  const isWellFormed =
    stringAt(item, "fieldsType") === "FieldsV1" && apiVersion !== "" && fields !== undefined;
  if (!isWellFormed || (operation !== "Apply" && operation !== "Update")) {
    return undefined;
  }
  return {
    manager: stringAt(item, "manager"),
    operation,
    apiVersion,
    subresource: stringAt(item, "subresource"),
    time: stringAt(item, "time"),
    fields,
  };
}

function compareEntries(a: ManagerEntry, b: ManagerEntry): number {
  return (
    compareTexts(a.operation, b.operation) ||
    compareTexts(a.time, b.time) ||
    compareTexts(a.manager, b.manager) ||
    compareTexts(a.apiVersion, b.apiVersion) ||
    compareTexts(a.subresource, b.subresource)
  );
}

function byAge([idA, a]: [string, ManagerEntry], [idB, b]: [string, ManagerEntry]): number {
  return compareTexts(a.time, b.time) || compareTexts(idA, idB);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The entries without those that own nothing. */
export function withoutEmpty(managers: Managers): Managers {
  return new Map([...managers].filter(([, entry]) => !isEmptySet(entry.fields)));
}
