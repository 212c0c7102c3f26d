import { ensureTree, setDefault, type Tree } from "../../tree.ts";
import type { Defaults } from "../kind.ts";

/** The defaults of DaemonSets. */
export const daemonSetDefaults: Defaults = {
  "io.k8s.api.apps.v1.DaemonSet": defaultDaemonSet,
};

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
