import type { Kind } from "../kind.ts";
import { deploymentCells } from "./cells.ts";
import { deploymentDefaults } from "./defaults.ts";
import { deploymentRules } from "./rules.ts";

/** Deployments. */
export const deployment: Kind = {
  bucket: "deployments.apps",
  rules: deploymentRules,
  defaults: deploymentDefaults,
  cells: deploymentCells,
};
