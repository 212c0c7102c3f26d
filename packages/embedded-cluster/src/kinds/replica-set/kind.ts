import type { Kind } from "../kind.ts";
import { replicaCells } from "./cells.ts";
import { replicaSetDefaults } from "./defaults.ts";
import { replicaSetRules } from "./rules.ts";

/** ReplicaSets. */
export const replicaSet: Kind = {
  bucket: "replicasets.apps",
  rules: replicaSetRules,
  defaults: replicaSetDefaults,
  cells: replicaCells,
};
