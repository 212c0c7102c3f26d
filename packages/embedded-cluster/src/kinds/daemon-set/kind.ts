import { ageOf, nameOf, printLabels } from "../../tables/cell-text.ts";
import { containersOf, count, selectorOf } from "../../tables/workload-cells.ts";
import type { Kind } from "../kind.ts";
import { daemonSetDefaults } from "./defaults.ts";
import { daemonSetRules } from "./rules.ts";

/** DaemonSets. */
export const daemonSet: Kind = {
  bucket: "daemonsets.apps",
  rules: daemonSetRules,
  defaults: daemonSetDefaults,
  cells: (object, now) => [
    nameOf(object),
    count(object, "status", "desiredNumberScheduled"),
    count(object, "status", "currentNumberScheduled"),
    count(object, "status", "numberReady"),
    count(object, "status", "updatedNumberScheduled"),
    count(object, "status", "numberAvailable"),
    printLabels(object, "spec", "template", "spec", "nodeSelector"),
    ageOf(object, now),
    ...containersOf(object),
    selectorOf(object) || "<none>",
  ],
};
