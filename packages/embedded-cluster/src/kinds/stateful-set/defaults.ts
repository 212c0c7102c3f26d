import { ensureTree, setDefault, stringAt, type Tree, treeAt } from "../../tree.ts";
import type { Defaults } from "../kind.ts";

/** The defaults of StatefulSets. */
export const statefulSetDefaults: Defaults = {
  "io.k8s.api.apps.v1.StatefulSet": defaultStatefulSet,
};

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
