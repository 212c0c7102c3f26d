import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { containersOf, count } from "../../tables/workload-cells.ts";
import type { Kind } from "../kind.ts";
import { statefulSetDefaults } from "./defaults.ts";
import { statefulSetRules } from "./rules.ts";

/** StatefulSets. */
export const statefulSet: Kind = {
  bucket: "statefulsets.apps",
  rules: statefulSetRules,
  defaults: statefulSetDefaults,
  cells: (object, now) => [
    nameOf(object),
    `${count(object, "status", "readyReplicas")}/${count(object, "spec", "replicas")}`,
    ageOf(object, now),
    ...containersOf(object),
  ],
};
