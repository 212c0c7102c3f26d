import { ageOf, type Cells, nameOf } from "../../tables/cell-text.ts";
import { stringAt, type Tree, treeAt, treesAt } from "../../tree.ts";

/** The cells of APIServices. */
export const apiServiceCells: Cells = (object, now) => [
  nameOf(object),
  apiServiceTarget(object),
  apiServiceStatus(object),
  ageOf(object, now),
];

function apiServiceTarget(service: Tree): string {
  const target = treeAt(service, "spec", "service");
  return target === undefined ? "Local" : `${stringAt(target, "namespace")}/${stringAt(target, "name")}`;
}

function apiServiceStatus(service: Tree): string {
  const condition = treesAt(service, "status", "conditions").find((one) => one["type"] === "Available");
  const status = stringAt(condition, "status") || "Unknown";
  const reason = stringAt(condition, "reason");
  return status === "True" || reason === "" ? status : `${status} (${reason})`;
}
