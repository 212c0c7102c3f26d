import type { Defaulter } from "../../schema/apply-defaults.ts";
import { ensureTree, listAt, setDefault, type Tree, treeAt } from "../../tree.ts";

/** The defaults of autoscalers. */
export const autoscalingDefaulters: Readonly<Record<string, Defaulter>> = {
  "io.k8s.api.autoscaling.v1.HorizontalPodAutoscaler": (autoscaler) =>
    setDefault(ensureTree(autoscaler, "spec"), "minReplicas", 1),
  "io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler": defaultAutoscaler,
};

function defaultAutoscaler(autoscaler: Tree): void {
  const spec = ensureTree(autoscaler, "spec");
  setDefault(spec, "minReplicas", 1);
  if (listAt(spec, "metrics").length === 0) {
    spec["metrics"] = [
      {
        type: "Resource",
        resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
      },
    ];
  }
  const behavior = treeAt(spec, "behavior");
  if (behavior !== undefined) {
    defaultScaling(ensureTree(behavior, "scaleUp"), 0, [
      { type: "Pods", value: 4, periodSeconds: 15 },
      { type: "Percent", value: 100, periodSeconds: 15 },
    ]);
    defaultScaling(ensureTree(behavior, "scaleDown"), undefined, [
      { type: "Percent", value: 100, periodSeconds: 15 },
    ]);
  }
}

function defaultScaling(rules: Tree, window: number | undefined, policies: Tree[]): void {
  if (window !== undefined) {
    setDefault(rules, "stabilizationWindowSeconds", window);
  }
  setDefault(rules, "selectPolicy", "Max");
  setDefault(rules, "policies", policies);
}
