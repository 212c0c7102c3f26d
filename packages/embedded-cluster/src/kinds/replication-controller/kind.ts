import { printLabels } from "../../tables/cell-text.ts";
import type { Kind } from "../kind.ts";
import { replicaCells } from "../replica-set/cells.ts";
import { replicationControllerDefaults } from "./defaults.ts";
import { replicationControllerRules } from "./rules.ts";

/** ReplicationControllers, the ancestors of ReplicaSets. */
export const replicationController: Kind = {
  bucket: "replicationcontrollers",
  rules: replicationControllerRules,
  defaults: replicationControllerDefaults,
  cells: (object, now) => [
    ...replicaCells(object, now).slice(0, -1),
    printLabels(object, "spec", "selector"),
  ],
};
