import { nodeAt, numberAt, type Tree, treesAt } from "../tree.ts";
import { containerCells, printSelector } from "./cell-text.ts";

/** The number at a path; 0 where there is none. */
export function count(object: Tree, ...path: readonly string[]): number {
  return numberAt(object, ...path) ?? 0;
}

/** The names and images of the containers of a workload. */
export function containersOf(object: Tree): readonly string[] {
  return containerCells(treesAt(object, "spec", "template", "spec", "containers"));
}

/** The selector of a workload. */
export function selectorOf(object: Tree): string {
  return printSelector(nodeAt(object, "spec", "selector"));
}
