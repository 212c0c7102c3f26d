import { ageOf, nameOf, printLabels } from "../../tables/cell-text.ts";
import { containersOf, count, selectorOf } from "../../tables/workload-cells.ts";
import { ensureTree, setDefault, type Tree } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { daemonSetRules } from "./rules.ts";

function defaultDaemonSet(set: Tree): void {
  const spec = ensureTree(set, "spec");
  // As every version of a DaemonSet passes through one that had this count as a field.
  setDefault(
    ensureTree(ensureTree(set, "metadata"), "annotations"),
    "deprecated.daemonset.template.generation",
    "0",
  );
  const strategy = ensureTree(spec, "updateStrategy");
  setDefault(strategy, "type", "RollingUpdate");
  if (strategy["type"] === "RollingUpdate") {
    const rolling = ensureTree(strategy, "rollingUpdate");
    setDefault(rolling, "maxUnavailable", 1);
    setDefault(rolling, "maxSurge", 0);
  }
  setDefault(spec, "revisionHistoryLimit", 10);
}

/** DaemonSets. */
export const daemonSet: Kind = {
  bucket: "daemonsets.apps",
  rules: daemonSetRules,
  defaults: {
    "io.k8s.api.apps.v1.DaemonSet": defaultDaemonSet,
  },
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
