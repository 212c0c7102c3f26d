import { type FieldError, faults } from "../../field-errors.ts";
import { ageOf, nameOf } from "../../tables/cell-text.ts";
import {
  isTrueAt,
  setDefault,
  stringAt,
  stringMapAt,
  type Tree,
  type TreeNode,
  treeAt,
  treesAt,
} from "../../tree.ts";
import { repeats } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { labelValue, qualifiedKey } from "../../validate/text-rules.ts";
import type { Kind } from "../kind.ts";

/** What stays once it is set, with the word for it. */
const fixed = { "spec.podCIDRs": "podCIDR", "spec.providerID": "providerID" };

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

function checkTaints(taints: Field): FieldError[] {
  const isTwice = repeats();
  return taints.each((taint) => {
    const [key, effect] = [taint.at("key"), taint.at("effect")];
    return faults(
      key.follows(qualifiedKey),
      taint.at("value").follows(labelValue),
      effect.text === "" ? effect.required() : effect.oneOf(effects),
      isTwice(`${key.text}:${effect.text}`) &&
        taint.duplicate(internalForm(taint), "taints must be unique by key and effect pair"),
    );
  });
}

/** The API server shows a taint by the names of its own fields. */
function internalForm(taint: Field): Tree {
  return {
    Key: taint.at("key").text,
    Value: taint.at("value").text,
    Effect: taint.at("effect").text,
    TimeAdded: taint.at("timeAdded").value ?? null,
  };
}

/** The cells of Nodes. */
function nodeCells(node: Tree, now: number): TreeNode[] {
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

function defaultNodeStatus(status: Tree): void {
  const capacity = treeAt(status, "capacity");
  if (capacity !== undefined) {
    setDefault(status, "allocatable", { ...capacity });
  }
}

/** Nodes. */
export const node: Kind = {
  bucket: "nodes",
  rules: {
    // Whoever registers a node tells its state at once.
    ownsStatus: true,
    check: (node) => checkTaints(node.at("spec.taints").shownAs("metadata.taints")),
    checkUpdate: (node, old) =>
      Object.entries(fixed).flatMap(([name, word]) => {
        const [now, before] = [node.at(name), old.at(name)];
        const isOpen = before.items.length === 0 && before.text === "";
        const why = `node updates may not change ${word} except from "" to valid`;
        return faults(isOpen || now.equals(before) || now.forbidden(why));
      }),
    selectableFields: (node) => ({ "spec.unschedulable": String(isTrueAt(node, "spec", "unschedulable")) }),
  },
  defaults: {
    "io.k8s.api.core.v1.NodeStatus": defaultNodeStatus,
  },
  cells: nodeCells,
};
