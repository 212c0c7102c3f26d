/**
 * Who owns what after a change: fields that a manager changes become its own and are taken from the others,
 * unless it applies without force, when they are conflicts. After Kubernetes' structured-merge-diff.
 */
import type { Tree } from "../tree.ts";
import { type Comparison, compareTyped, withoutFields } from "./compare.ts";
import { difference, type FieldSet, intersection, pathsOf, union } from "./field-set.ts";
import { type ManagerEntry, type Managers, withoutEmpty } from "./managers.ts";
import type { Atom } from "./merge-schema.ts";
import type { PathElement } from "./path-element.ts";

/** The versions of a kind, in whose terms managers speak of its fields. */
export interface TypedVersions {
  /** The type of that version; undefined where it is no longer served. */
  atomOf(apiVersion: string): Atom | undefined;
  /** An object in that version. */
  convert(object: Tree, apiVersion: string): Tree;
  /** Fields that no write to this (sub)resource can change, so nobody owns them by it. */
  readonly ignored: FieldSet;
}

/** A change of an object by a manager. */
export interface Change {
  readonly versions: TypedVersions;
  /** The version in which the change was made. */
  readonly apiVersion: string;
  readonly live: Tree;
  readonly next: Tree;
  /** Who makes it: the identity of its entry. */
  readonly by: string;
}

/** A field that someone else owns. */
export interface Conflict {
  readonly entry: ManagerEntry;
  readonly path: readonly PathElement[];
}

/** The fields that others own and that the change changes. */
export function findConflicts(change: Change, managers: Managers): readonly Conflict[] {
  const compare = comparer(change);
  const conflicts: Conflict[] = [];
  for (const [id, entry] of managers) {
    const comparison = id === change.by ? undefined : compare(entry.apiVersion);
    if (comparison !== undefined) {
      const contested = intersection(entry.fields, union(comparison.modified, comparison.added));
      for (const path of pathsOf(contested)) {
        conflicts.push({ entry, path });
      }
    }
  }
  return conflicts;
}

/** What the others still own: not what was changed or removed, and nothing of versions that are gone. */
export function takeFromOthers(change: Change, managers: Managers): Managers {
  const compare = comparer(change);
  const left = new Map<string, ManagerEntry>();
  for (const [id, entry] of managers) {
    const comparison = compare(entry.apiVersion);
    if (id === change.by) {
      left.set(id, entry);
    } else if (comparison !== undefined) {
      const { modified, added, removed } = comparison;
      const kept = difference(difference(entry.fields, union(modified, added)), removed);
      left.set(id, { ...entry, fields: kept });
    }
  }
  return withoutEmpty(left);
}

/** What changed, in the terms of the version of the change. */
export function changedFields(change: Change): Comparison | undefined {
  return comparer(change)(change.apiVersion);
}

/** Compares once per version; undefined for a version that is gone. */
function comparer({ versions, live, next }: Change): (apiVersion: string) => Comparison | undefined {
  const done = new Map<string, Comparison | undefined>();
  return (apiVersion) => {
    if (!done.has(apiVersion)) {
      const atom = versions.atomOf(apiVersion);
      done.set(
        apiVersion,
        atom === undefined
          ? undefined
          : withoutFields(
              compareTyped(atom, versions.convert(live, apiVersion), versions.convert(next, apiVersion)),
              versions.ignored,
            ),
      );
    }
    return done.get(apiVersion);
  };
}
