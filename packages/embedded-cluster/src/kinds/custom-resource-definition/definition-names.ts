/** Which names of a definition are free, and what its status says about them. */

import { type Condition, isCondition } from "../../conditions.ts";
import { copyField, equalNodes, stringAt, stringsAt, type Tree, treeAt } from "../../tree.ts";

/** The names that a definition may have, and what to say of them. */
export interface AcceptedNames {
  readonly names: Tree;
  readonly condition: Condition;
}

/** True for a definition whose resources are served. */
export function isEstablished(definition: Tree): boolean {
  return isCondition(treeAt(definition, "status"), "Established");
}

/** Compares the names that a definition asks for with those of the others of its group. */
export function acceptNames(definition: Tree, others: readonly Tree[]): AcceptedNames {
  const group = stringAt(definition, "spec", "group");
  const taken = others.filter((other) => stringAt(other, "spec", "group") === group).map(acceptedOf);
  const resources = new Set(taken.flatMap(resourceNames));
  const kinds = new Set(taken.flatMap((names) => [stringAt(names, "kind"), stringAt(names, "listKind")]));
  const wanted = treeAt(definition, "spec", "names") ?? {};
  const accepted: Tree = { ...acceptedOf(definition) };
  let conflict: Condition | undefined;
  for (const { field, reason, used } of [
    { field: "plural", reason: "PluralConflict", used: resources },
    { field: "singular", reason: "SingularConflict", used: resources },
    { field: "shortNames", reason: "ShortNamesConflict", used: resources },
    { field: "kind", reason: "KindConflict", used: kinds },
    { field: "listKind", reason: "ListKindConflict", used: kinds },
  ]) {
    const clash = equalNodes(wanted[field], accepted[field])
      ? undefined
      : textsAt(wanted, field).find((name) => used.has(name));
    if (clash === undefined) {
      copyField(wanted, accepted, field);
    } else {
      conflict = { type: "NamesAccepted", status: "False", reason, message: `"${clash}" is already in use` };
    }
  }
  copyField(wanted, accepted, "categories");
  const condition: Condition = conflict ?? {
    type: "NamesAccepted",
    status: "True",
    reason: "NoConflicts",
    message: "no conflicts found",
  };
  return { names: accepted, condition };
}

function acceptedOf(definition: Tree): Tree {
  return treeAt(definition, "status", "acceptedNames") ?? {};
}

function resourceNames(names: Tree): readonly string[] {
  return [stringAt(names, "plural"), stringAt(names, "singular"), ...stringsAt(names, "shortNames")];
}

function textsAt(names: Tree, field: string): readonly string[] {
  return field === "shortNames" ? stringsAt(names, field) : [stringAt(names, field)];
}
