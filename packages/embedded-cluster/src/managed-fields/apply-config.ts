/** Server-side apply: merges what a manager wants into the live object and settles who owns what. */
import { stringifyGoJson } from "@weir/base";
import { equalNodes, isTree, nodeAt, stringAt, type Tree } from "../tree.ts";
import { checkTyped } from "./check-typed.ts";
import { compareTyped } from "./compare.ts";
import { difference, type FieldSet, hasPath, recursiveDifference } from "./field-set.ts";
import { type ManagerEntry, type Managers, managerId, readManagers } from "./managers.ts";
import { mergeTyped } from "./merge.ts";
import type { Atom } from "./merge-schema.ts";
import { ownedFields } from "./owned-fields.ts";
import { type Conflict, findConflicts, type TypedVersions, takeFromOthers } from "./ownership.ts";
import { pruneMerged } from "./prune.ts";
import { managersAfterUpdate, ownable } from "./update-managers.ts";

/** What a manager applies. */
export interface AppliedConfig {
  readonly versions: TypedVersions;
  readonly atom: Atom;
  readonly apiVersion: string;
  readonly subresource: string;
  /** The live object in that version; of a new object, what an empty one of its kind looks like. */
  readonly live: Tree;
  /** An empty object of the kind, for objects that were never tracked. */
  readonly empty: Tree;
  readonly config: Tree;
  readonly manager: string;
  readonly force: boolean;
  readonly now: string;
}

/** What became of it. */
export type ApplyResult =
  | {
      readonly kind: "applied";
      /** The merged object; undefined where it says what the live one says. */
      readonly object: Tree | undefined;
      readonly managers: Managers;
    }
  | { readonly kind: "conflicts"; readonly conflicts: readonly Conflict[] };

/** Merges and settles. The configuration must be of its type (see checkTyped). */
export function applyConfig(applied: AppliedConfig): ApplyResult {
  const result = applyOnce(applied, applied.force);
  if (result.kind === "applied" || applied.manager !== "kubectl") {
    return result;
  }
  // What client-side apply set last, and nobody has changed since, is taken over without a fight.
  const allowed = lastAppliedFields(applied);
  const left =
    allowed === undefined ? result.conflicts : result.conflicts.filter(({ path }) => !hasPath(allowed, path));
  return left.length === 0 ? applyOnce(applied, true) : { kind: "conflicts", conflicts: left };
}

function applyOnce(applied: AppliedConfig, force: boolean): ApplyResult {
  const { versions, atom, apiVersion, live, config, now } = applied;
  const identity = {
    manager: applied.manager === "" ? "unknown" : applied.manager,
    operation: "Apply" as const,
    apiVersion,
    subresource: applied.subresource,
  };
  const id = managerId(identity);
  const before = trackedManagers(applied);
  const last = before.get(id);
  const fields = recursiveDifference(ownedFields(atom, config), versions.ignored);
  const entry: ManagerEntry = { ...identity, time: last?.time ?? "", fields };
  const managers = new Map(before).set(id, entry);
  const merged = asTree(mergeTyped(atom, live, config));
  const next = pruneMerged({ versions, apiVersion, merged, managers, last });
  const change = { versions, apiVersion, live, next, by: id };
  const conflicts = force ? [] : findConflicts(change, managers);
  if (conflicts.length > 0) {
    return { kind: "conflicts", conflicts };
  }
  const isSame = equalNodes(live, next);
  const settled = settle(new Map(takeFromOthers(change, managers)), id, isSame ? entry.time : now);
  return { kind: "applied", object: isSame ? undefined : next, managers: settled };
}

function settle(managers: Map<string, ManagerEntry>, id: string, time: string): Managers {
  const entry = managers.get(id);
  if (entry === undefined) {
    return managers;
  }
  const fields = ownable(entry.fields);
  if (fields.members.size === 0 && fields.children.size === 0) {
    managers.delete(id);
  } else {
    managers.set(id, { ...entry, fields, time });
  }
  return managers;
}

/** An object that was never tracked belongs to "before-first-apply" until somebody applies. */
function trackedManagers({ versions, apiVersion, subresource, live, empty, now }: AppliedConfig): Managers {
  const managers = readManagers(nodeAt(live, "metadata", "managedFields")) ?? new Map<string, ManagerEntry>();
  if (managers.size > 0) {
    return managers;
  }
  const manager = "before-first-apply";
  return managersAfterUpdate({ versions, apiVersion, subresource, live: empty, next: live, manager, now });
}

const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

function lastAppliedFields({ atom, apiVersion, live }: AppliedConfig): FieldSet | undefined {
  const lastApplied = parse(stringAt(live, "metadata", "annotations", lastAppliedAnnotation));
  if (lastApplied === undefined || stringAt(lastApplied, "apiVersion") !== apiVersion) {
    return undefined;
  }
  if (checkTyped(atom, lastApplied).length > 0) {
    return undefined;
  }
  const { modified, added, removed } = compareTyped(atom, lastApplied, live);
  return difference(difference(difference(ownedFields(atom, lastApplied), modified), added), removed);
}

/**
 * What the annotation of client-side apply must say after `config` was applied by kubectl, undefined where
 * the object has no such annotation. So client-side and server-side apply can take turns.
 */
export function lastAppliedAfter(manager: string, object: Tree, config: Tree): string | undefined {
  if (manager !== "kubectl" || stringAt(object, "metadata", "annotations", lastAppliedAnnotation) === "") {
    return undefined;
  }
  const copy = structuredClone(config);
  const metadata = copy["metadata"];
  const annotations = isTree(metadata) ? metadata["annotations"] : undefined;
  if (isTree(annotations) && isTree(metadata)) {
    Reflect.deleteProperty(annotations, lastAppliedAnnotation);
    if (Object.keys(annotations).length === 0) {
      Reflect.deleteProperty(metadata, "annotations");
    }
  }
  return `${stringifyGoJson(copy)}\n`;
}

function asTree(value: unknown): Tree {
  return isTree(value) ? value : {};
}

function parse(json: string): Tree | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isTree(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
