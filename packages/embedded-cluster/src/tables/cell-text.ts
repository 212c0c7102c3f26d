/** The words in which tables say things, after Kubernetes' printers. */
import { printHumanDuration } from "@weir/base";
import { labelSelectorOf } from "@weir/kube";
import {
  isTree,
  nodeAt,
  stringAt,
  stringMapAt,
  stringsAt,
  type Tree,
  type TreeNode,
  treesAt,
} from "../tree.ts";

/** The cells of an object, all columns' worth; `now` in milliseconds since the epoch. */
export type Cells = (object: Tree, now: number) => TreeNode[];

/** How long ago a time was; "<unknown>" where there is none. */
export function printAge(time: TreeNode | undefined, now: number): string {
  const then = typeof time === "string" ? Date.parse(time) : Number.NaN;
  return Number.isNaN(then) ? "<unknown>" : printHumanDuration(now - then);
}

/** The name of an object. */
export function nameOf(object: Tree): string {
  return stringAt(object, "metadata", "name");
}

/** A text or number as it is; `otherwise` where there is none. */
export function textOf(node: TreeNode | undefined, otherwise: string): string {
  return typeof node === "string" || typeof node === "number" ? String(node) : otherwise;
}

/** The age of an object. */
export function ageOf(object: Tree, now: number): string {
  return printAge(nodeAt(object, "metadata", "creationTimestamp"), now);
}

/** A map of labels as "a=b,c=d". */
export function printLabels(tree: Tree | undefined, ...path: readonly string[]): string {
  const labels = [...stringMapAt(tree, ...path)].map(([key, value]) => `${key}=${value}`);
  return labels.length === 0 ? "<none>" : labels.sort().join(",");
}

/** A label selector as kubectl shows it. */
export function printSelector(selector: TreeNode | undefined): string {
  const terms = [
    ...[...stringMapAt(selector, "matchLabels")].map(([key, value]) => [key, `${key}=${value}`] as const),
    ...treesAt(selector, "matchExpressions").map(
      (one) => [stringAt(one, "key"), printRequirement(one)] as const,
    ),
  ];
  return terms
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, text]) => text)
    .join(",");
}

/** True where a selector is well formed. */
export function isGoodSelector(selector: TreeNode | undefined): boolean {
  try {
    labelSelectorOf(isTree(selector) ? selector : {});
    return true;
  } catch {
    return false;
  }
}

function printRequirement(requirement: Tree): string {
  const key = stringAt(requirement, "key");
  const values = `(${stringsAt(requirement, "values").sort().join(",")})`;
  switch (stringAt(requirement, "operator")) {
    case "In":
      return `${key} in ${values}`;
    case "NotIn":
      return `${key} notin ${values}`;
    case "Exists":
      return key;
    default:
      return `!${key}`;
  }
}

/** The names and the images of containers, each as a list. */
export function containerCells(containers: readonly Tree[]): [names: string, images: string] {
  return [
    containers.map((container) => stringAt(container, "name")).join(","),
    containers.map((container) => stringAt(container, "image")).join(","),
  ];
}

/** The first items of a list, and how many more there are. */
export function firstOf(list: readonly string[], most: number): string {
  const shown = list.slice(0, most).join(",");
  return list.length > most ? `${shown} + ${list.length - most} more...` : shown;
}
