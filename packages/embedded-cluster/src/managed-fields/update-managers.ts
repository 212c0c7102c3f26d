import { isTree, nodeAt, type Tree } from "../tree.ts";
import {
  difference,
  emptySet,
  type FieldSet,
  isEmptySet,
  recursiveDifference,
  setOf,
  union,
} from "./field-set.ts";
import { capUpdaters, type ManagerEntry, type Managers, managerId, readManagers } from "./managers.ts";
import { changedFields, type TypedVersions, takeFromOthers } from "./ownership.ts";
import { fieldElement } from "./path-element.ts";

/** An ordinary write (create, update, patch) by a manager. */
export interface ManagedUpdate {
  readonly versions: TypedVersions;
  readonly apiVersion: string;
  readonly subresource: string;
  /** The object before; of a new object, what an empty one of its kind looks like. */
  readonly live: Tree;
  /** The object that the write asks for. */
  readonly next: Tree;
  readonly manager: string;
  readonly now: string;
}

/** Who owns what after the write. */
export function managersAfterUpdate(update: ManagedUpdate): Managers {
  const { versions, apiVersion, live, next, now } = update;
  const managers = currentManagers(update);
  const isNew = nodeAt(live, "metadata", "uid") === undefined;
  if (managers.size === 0 && !isNew) {
    // Tracking ends where a client empties managedFields, until something is applied.
    return managers;
  }
  const entry = {
    manager: update.manager,
    operation: "Update" as const,
    apiVersion,
    subresource: update.subresource,
  };
  // The API server compares under a name of its own first: a manager's earlier writes are like another's.
  const change = { versions, apiVersion, live, next, by: "" };
  const others = new Map(takeFromOthers(change, managers));
  const fields = newlyOwned(changedFields(change), versions.ignored);
  if (!isEmptySet(fields)) {
    const id = managerId(entry);
    others.set(id, { ...entry, time: now, fields: union(fields, others.get(id)?.fields ?? emptySet) });
  }
  return capUpdaters(others);
}

/** Fields that are never owned: identity and what the server alone sets. */
const neverOwned = setOf(
  [
    ["apiVersion"],
    ["kind"],
    ["metadata"],
    ...["name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation"].map(
      (name) => ["metadata", name],
    ),
    ["metadata", "managedFields"],
    ["metadata", "resourceVersion"],
  ].map((path) => path.map(fieldElement)),
);

/** A manager's fields without those that are never owned. */
export function ownable(fields: FieldSet): FieldSet {
  return difference(fields, neverOwned);
}

function newlyOwned(
  comparison: { readonly modified: FieldSet; readonly added: FieldSet } | undefined,
  ignored: FieldSet,
): FieldSet {
  return comparison === undefined
    ? emptySet
    : ownable(recursiveDifference(union(comparison.modified, comparison.added), ignored));
}

/** Clients may change managedFields themselves, but not through a subresource; what is malformed is not taken. */
function currentManagers({ live, next, subresource }: ManagedUpdate): Managers {
  const liveManagers =
    readManagers(nodeAt(live, "metadata", "managedFields")) ?? new Map<string, ManagerEntry>();
  const sent = nodeAt(next, "metadata", "managedFields");
  if (subresource !== "" || sent === undefined) {
    return liveManagers;
  }
  if (isReset(sent)) {
    return new Map();
  }
  const sentManagers = readManagers(sent);
  return sentManagers === undefined || sentManagers.size === 0 ? liveManagers : sentManagers;
}

/** An empty list, or a list of one empty entry, asks the server to forget all managers. */
function isReset(sent: unknown): boolean {
  if (!Array.isArray(sent)) {
    return false;
  }
  const [first] = sent as readonly unknown[];
  return sent.length === 0 || (sent.length === 1 && isTree(first) && Object.keys(first).length === 0);
}
