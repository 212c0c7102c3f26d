import type { Kind } from "../kind.ts";
import { serviceCells } from "./cells.ts";
import { serviceDefaults } from "./defaults.ts";
import { serviceRules } from "./rules.ts";

/** Services. */
export const service: Kind = {
  bucket: "services",
  rules: serviceRules,
  defaults: serviceDefaults,
  cells: serviceCells,
};
