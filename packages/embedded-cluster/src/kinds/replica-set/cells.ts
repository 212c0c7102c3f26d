import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { containersOf, count, selectorOf } from "../../tables/workload-cells.ts";
import type { Tree, TreeNode } from "../../tree.ts";

/** The cells of ReplicaSets. */
export function replicaCells(object: Tree, now: number): TreeNode[] {
  return [
    nameOf(object),
    count(object, "spec", "replicas"),
    count(object, "status", "replicas"),
    count(object, "status", "readyReplicas"),
    ageOf(object, now),
    ...containersOf(object),
    selectorOf(object) || "<none>",
  ];
}
