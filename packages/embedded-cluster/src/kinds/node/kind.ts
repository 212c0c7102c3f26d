import { setDefault, type Tree, treeAt } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { nodeCells } from "./cells.ts";
import { nodeRules } from "./rules.ts";

function defaultNodeStatus(status: Tree): void {
  const capacity = treeAt(status, "capacity");
  if (capacity !== undefined) {
    setDefault(status, "allocatable", { ...capacity });
  }
}

/** Nodes. */
export const node: Kind = {
  bucket: "nodes",
  rules: nodeRules,
  defaults: {
    "io.k8s.api.core.v1.NodeStatus": defaultNodeStatus,
  },
  cells: nodeCells,
};
