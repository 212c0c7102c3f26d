import type { Tree } from "../tree.ts";
import { isTree } from "../tree.ts";
import { difference, emptySet, type FieldSet, intersection, isEmptySet, union } from "./field-set.ts";
import type { ManagerEntry, Managers } from "./managers.ts";
import type { Atom } from "./merge-schema.ts";
import { ownedFields } from "./owned-fields.ts";
import type { TypedVersions } from "./ownership.ts";
import { removeFields, withNamedParents } from "./remove.ts";

/** A merged object of which an applier no longer wants all that it applied before. */
export interface Pruning {
  readonly versions: TypedVersions;
  /** The version of the merged object. */
  readonly apiVersion: string;
  readonly merged: Tree;
  /** Who owns what, the applier's new entry included. */
  readonly managers: Managers;
  /** What the applier owned before. */
  readonly last: ManagerEntry | undefined;
}

/** Removes what the applier applied last time, does not now, and nobody else owns. */
export function pruneMerged({ versions, apiVersion, merged, managers, last }: Pruning): Tree {
  const atom = last === undefined ? undefined : versions.atomOf(last.apiVersion);
  if (last === undefined || isEmptySet(last.fields) || atom === undefined) {
    return merged;
  }
  const whole = versions.convert(merged, last.apiVersion);
  let pruned = removeFrom(atom, whole, withNamedParents(atom, last.fields));
  for (const [version, owned] of ownedByVersion(managers, last.apiVersion)) {
    pruned = addBackOwned(versions, { whole, pruned, from: last.apiVersion, version, owned });
  }
  return versions.convert(addBackForeign(atom, whole, pruned, last.fields), apiVersion);
}

/** What anybody owns, by version; the version of the pruning first, as conversion may need its fields. */
function ownedByVersion(managers: Managers, first: string): ReadonlyMap<string, FieldSet> {
  const owned = new Map<string, FieldSet>([[first, emptySet]]);
  for (const { apiVersion, fields } of managers.values()) {
    owned.set(apiVersion, union(owned.get(apiVersion) ?? emptySet, fields));
  }
  return owned;
}

interface AddBack {
  readonly whole: Tree;
  readonly pruned: Tree;
  readonly from: string;
  readonly version: string;
  readonly owned: FieldSet;
}

/** The pruned object with those fields again that somebody owns in the terms of `version`. */
function addBackOwned(versions: TypedVersions, { whole, pruned, from, version, owned }: AddBack): Tree {
  const atom = versions.atomOf(version);
  if (atom === undefined) {
    return pruned;
  }
  const there = versions.convert(whole, version);
  const all = withNamedParents(atom, ownedFields(atom, there));
  const left = withNamedParents(atom, ownedFields(atom, versions.convert(pruned, version)));
  const kept = union(left, withNamedParents(atom, owned));
  return versions.convert(removeFrom(atom, there, difference(all, kept)), from);
}

/** The pruned object with those fields again that the applier never owned. */
function addBackForeign(atom: Atom, whole: Tree, pruned: Tree, last: FieldSet): Tree {
  const all = withNamedParents(atom, ownedFields(atom, whole));
  const left = withNamedParents(atom, ownedFields(atom, pruned));
  return removeFrom(atom, whole, intersection(difference(all, left), withNamedParents(atom, last)));
}

function removeFrom(atom: Atom, object: Tree, gone: FieldSet): Tree {
  const left = removeFields(atom, object, gone);
  return isTree(left) ? left : {};
}
