import type { Defaulter } from "../schema/apply-defaults.ts";
import { ensureTree, setDefault, stringAt, type Tree, treeAt } from "../tree.ts";

/** The defaults of workloads, as `k8s.io/kubernetes/pkg/apis/apps/v1` sets them. */
export const appsDefaulters: Readonly<Record<string, Defaulter>> = {
  "io.k8s.api.apps.v1.Deployment": defaultDeployment,
  "io.k8s.api.apps.v1.DaemonSet": defaultDaemonSet,
  "io.k8s.api.apps.v1.StatefulSet": defaultStatefulSet,
  "io.k8s.api.apps.v1.ReplicaSet": (set) => setDefault(ensureTree(set, "spec"), "replicas", 1),
  "io.k8s.api.core.v1.ReplicationController": defaultReplicationController,
};

function defaultDeployment(deployment: Tree): void {
  const spec = ensureTree(deployment, "spec");
  const strategy = ensureTree(spec, "strategy");
  setDefault(spec, "replicas", 1);
  setDefault(strategy, "type", "RollingUpdate");
  if (strategy["type"] === "RollingUpdate") {
    const rolling = ensureTree(strategy, "rollingUpdate");
    setDefault(rolling, "maxUnavailable", "25%");
    setDefault(rolling, "maxSurge", "25%");
  }
  setDefault(spec, "revisionHistoryLimit", 10);
  setDefault(spec, "progressDeadlineSeconds", 600);
}

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

function defaultReplicationController(controller: Tree): void {
  const spec = ensureTree(controller, "spec");
  const labels = treeAt(spec, "template", "metadata", "labels");
  setDefault(spec, "replicas", 1);
  if (labels !== undefined) {
    setDefault(spec, "selector", { ...labels });
    setDefault(ensureTree(controller, "metadata"), "labels", { ...labels });
  }
}
