import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { containersOf, count } from "../../tables/workload-cells.ts";
import { ensureTree, setDefault, stringAt, type Tree, treeAt } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { statefulSetRules } from "./rules.ts";

function defaultStatefulSet(set: Tree): void {
  const spec = ensureTree(set, "spec");
  const strategy = ensureTree(spec, "updateStrategy");
  setDefault(spec, "podManagementPolicy", "OrderedReady");
  if (stringAt(strategy, "type") === "") {
    strategy["type"] = "RollingUpdate";
    setDefault(strategy, "rollingUpdate", {});
  }
  const rolling = treeAt(strategy, "rollingUpdate");
  if (strategy["type"] === "RollingUpdate" && rolling !== undefined) {
    setDefault(rolling, "partition", 0);
  }
  const retention = ensureTree(spec, "persistentVolumeClaimRetentionPolicy");
  setDefault(retention, "whenDeleted", "Retain");
  setDefault(retention, "whenScaled", "Retain");
  setDefault(spec, "replicas", 1);
  setDefault(spec, "revisionHistoryLimit", 10);
}

/** StatefulSets. */
export const statefulSet: Kind = {
  bucket: "statefulsets.apps",
  rules: statefulSetRules,
  defaults: {
    "io.k8s.api.apps.v1.StatefulSet": defaultStatefulSet,
  },
  cells: (object, now) => [
    nameOf(object),
    `${count(object, "status", "readyReplicas")}/${count(object, "spec", "replicas")}`,
    ageOf(object, now),
    ...containersOf(object),
  ],
};
