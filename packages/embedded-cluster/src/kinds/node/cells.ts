import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { isTrueAt, stringAt, stringMapAt, type Tree, type TreeNode, treeAt, treesAt } from "../../tree.ts";

/** The cells of Nodes. */
export function nodeCells(node: Tree, now: number): TreeNode[] {
  const ready = treesAt(node, "status", "conditions").find((condition) => condition["type"] === "Ready");
  const status = [
    ready === undefined ? "Unknown" : ready["status"] === "True" ? "Ready" : "NotReady",
    ...(isTrueAt(node, "spec", "unschedulable") ? ["SchedulingDisabled"] : []),
  ];
  const info = treeAt(node, "status", "nodeInfo");
  return [
    nameOf(node),
    status.join(","),
    nodeRoles(node),
    ageOf(node, now),
    stringAt(info, "kubeletVersion"),
    nodeAddress(node, "InternalIP"),
    nodeAddress(node, "ExternalIP"),
    stringAt(info, "osImage") || "<unknown>",
    stringAt(info, "kernelVersion") || "<unknown>",
    stringAt(info, "containerRuntimeVersion") || "<unknown>",
  ];
}

function nodeRoles(node: Tree): string {
  const prefix = "node-role.kubernetes.io/";
  const roles = [...stringMapAt(node, "metadata", "labels").keys()]
    .filter((label) => label.startsWith(prefix) && label.length > prefix.length)
    .map((label) => label.slice(prefix.length));
  return roles.length === 0 ? "<none>" : roles.sort().join(",");
}

function nodeAddress(node: Tree, type: string): string {
  const address = treesAt(node, "status", "addresses").find((one) => one["type"] === type);
  return address === undefined ? "<none>" : stringAt(address, "address");
}
