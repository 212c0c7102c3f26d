import { ageOf, type Cells, isGoodSelector, nameOf } from "../../tables/cell-text.ts";
import { containersOf, count, selectorOf } from "../../tables/workload-cells.ts";
import { nodeAt } from "../../tree.ts";

/** The cells of Deployments. */
export const deploymentCells: Cells = (object, now) => [
  nameOf(object),
  `${count(object, "status", "readyReplicas")}/${count(object, "spec", "replicas")}`,
  count(object, "status", "updatedReplicas"),
  count(object, "status", "availableReplicas"),
  ageOf(object, now),
  ...containersOf(object),
  isGoodSelector(nodeAt(object, "spec", "selector")) ? selectorOf(object) : "<invalid>",
];
