import { setDefault, type Tree, treeAt } from "../../tree.ts";
import type { Defaults, Kind } from "../kind.ts";
import { nodeCells } from "./cells.ts";
import { nodeRules } from "./rules.ts";

/** The defaults of Nodes. */
const nodeDefaults: Defaults = {
  "io.k8s.api.core.v1.NodeStatus": defaultNodeStatus,
};

function defaultNodeStatus(status: Tree): void {
  const capacity = treeAt(status, "capacity");
  if (capacity !== undefined) {
    setDefault(status, "allocatable", { ...capacity });
  }
}

/** Nodes. */
export const node: Kind = { bucket: "nodes", rules: nodeRules, defaults: nodeDefaults, cells: nodeCells };
