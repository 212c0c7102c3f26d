import { ensureTree, setDefault, type Tree } from "../../tree.ts";
import type { Defaults } from "../kind.ts";

/** The defaults of Deployments. */
export const deploymentDefaults: Defaults = {
  "io.k8s.api.apps.v1.Deployment": defaultDeployment,
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
