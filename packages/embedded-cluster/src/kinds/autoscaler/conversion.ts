import {
  drop,
  ensureTree,
  isTree,
  listAt,
  nodeAt,
  numberAt,
  stringAt,
  type Tree,
  type TreeNode,
  treesAt,
} from "../../tree.ts";

/** What v1 cannot say stands in annotations, as JSON. */
const metricsAnnotation = "autoscaling.alpha.kubernetes.io/metrics";

const behaviorAnnotation = "autoscaling.alpha.kubernetes.io/behavior";

const conditionsAnnotation = "autoscaling.alpha.kubernetes.io/conditions";

const currentAnnotation = "autoscaling.alpha.kubernetes.io/current-metrics";

/** The v2 autoscaler that says what a v1 one says; changes and returns it. */
export function autoscalerFromV1(autoscaler: Tree): Tree {
  const spec = ensureTree(autoscaler, "spec");
  const status = ensureTree(autoscaler, "status");
  const target = numberAt(spec, "targetCPUUtilizationPercentage");
  const metrics = [
    ...(target === undefined ? [] : [cpuMetric({ type: "Utilization", averageUtilization: target })]),
    ...listOf(takeAnnotation(autoscaler, metricsAnnotation)),
  ];
  const behavior = takeAnnotation(autoscaler, behaviorAnnotation);
  const conditions = takeAnnotation(autoscaler, conditionsAnnotation);
  const current = takeAnnotation(autoscaler, currentAnnotation);
  drop(spec, "targetCPUUtilizationPercentage");
  if (metrics.length > 0) {
    spec["metrics"] = metrics;
  }
  if (isTree(behavior)) {
    spec["behavior"] = behavior;
  }
  fillStatus(status, listOf(current), listOf(conditions));
  return { ...autoscaler, apiVersion: "autoscaling/v2" };
}

/** The v1 autoscaler that says what a v2 one says; changes and returns it. */
export function autoscalerToV1(autoscaler: Tree): Tree {
  const spec = ensureTree(autoscaler, "spec");
  const status = ensureTree(autoscaler, "status");
  const cpu = treesAt(spec, "metrics").find(isCpuUtilization);
  const others = listAt(spec, "metrics").filter((metric) => metric !== cpu);
  const currentCpu = treesAt(status, "currentMetrics").find(
    (metric) => stringAt(metric, "resource", "name") === "cpu",
  );
  const currentOthers = listAt(status, "currentMetrics");
  if (cpu !== undefined) {
    spec["targetCPUUtilizationPercentage"] = nodeAt(cpu, "resource", "target", "averageUtilization") ?? 0;
  }
  putAnnotation(autoscaler, metricsAnnotation, others);
  putAnnotation(autoscaler, behaviorAnnotation, spec["behavior"] ?? null);
  putAnnotation(autoscaler, conditionsAnnotation, listAt(status, "conditions"));
  putAnnotation(autoscaler, currentAnnotation, currentOthers);
  const utilization = nodeAt(currentCpu, "resource", "current", "averageUtilization");
  if (utilization !== undefined) {
    status["currentCPUUtilizationPercentage"] = utilization;
  }
  status["currentReplicas"] ??= 0;
  drop(spec, "metrics");
  drop(spec, "behavior");
  drop(status, "conditions");
  drop(status, "currentMetrics");
  return { ...autoscaler, apiVersion: "autoscaling/v1" };
}

function fillStatus(status: Tree, current: TreeNode[], conditions: TreeNode[]): void {
  const utilization = numberAt(status, "currentCPUUtilizationPercentage");
  const metrics =
    utilization === undefined || current.length > 0
      ? current
      : [
          {
            type: "Resource",
            resource: { name: "cpu", current: { averageUtilization: utilization } },
          },
        ];
  drop(status, "currentCPUUtilizationPercentage");
  status["currentMetrics"] = metrics.length === 0 ? null : metrics;
  if (status["currentReplicas"] === 0) {
    drop(status, "currentReplicas");
  }
  if (conditions.length > 0) {
    status["conditions"] = conditions;
  }
}

function cpuMetric(target: Tree): Tree {
  return { type: "Resource", resource: { name: "cpu", target } };
}

function isCpuUtilization(metric: Tree): boolean {
  return (
    stringAt(metric, "resource", "name") === "cpu" &&
    nodeAt(metric, "resource", "target", "averageUtilization") !== undefined
  );
}

function takeAnnotation(object: Tree, name: string): TreeNode {
  const metadata = ensureTree(object, "metadata");
  const annotations = metadata["annotations"];
  const json = stringAt(annotations, name);
  if (isTree(annotations)) {
    drop(annotations, name);
    if (Object.keys(annotations).length === 0) {
      drop(metadata, "annotations");
    }
  }
  return parse(json);
}

function putAnnotation(object: Tree, name: string, value: TreeNode): void {
  const isNothing = value === null || (Array.isArray(value) && value.length === 0);
  if (!isNothing) {
    ensureTree(ensureTree(object, "metadata"), "annotations")[name] = JSON.stringify(value);
  }
}

function parse(json: string): TreeNode {
  try {
    const value: unknown = JSON.parse(json);
    // Whatever JSON.parse returns is a tree's node.
    return value as TreeNode;
  } catch {
    return null;
  }
}

function listOf(node: TreeNode): TreeNode[] {
  return Array.isArray(node) ? node : [];
}
