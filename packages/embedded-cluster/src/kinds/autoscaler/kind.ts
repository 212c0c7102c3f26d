import type { KindRules } from "../../resources/kind-rules.ts";
import type { Defaulter } from "../../schema/apply-defaults.ts";
import { ageOf, nameOf, textOf } from "../../tables/cell-text.ts";
import {
  ensureTree,
  listAt,
  nodeAt,
  numberAt,
  setDefault,
  stringAt,
  type Tree,
  type TreeNode,
  treeAt,
  treesAt,
} from "../../tree.ts";
import { checkCounts } from "../../validate/checks.ts";
import type { Kind } from "../kind.ts";
import { checkAutoscaler } from "./validate.ts";

/** The defaults of autoscalers. */
const autoscalingDefaulters: Readonly<Record<string, Defaulter>> = {
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

/** The cells of HorizontalPodAutoscalers. */
function autoscalerCells(autoscaler: Tree, now: number): TreeNode[] {
  const target = treeAt(autoscaler, "spec", "scaleTargetRef");
  return [
    nameOf(autoscaler),
    `${stringAt(target, "kind")}/${stringAt(target, "name")}`,
    autoscalerMetrics(autoscaler),
    textOf(nodeAt(autoscaler, "spec", "minReplicas"), "<unset>"),
    numberAt(autoscaler, "spec", "maxReplicas") ?? 0,
    numberAt(autoscaler, "status", "currentReplicas") ?? 0,
    ageOf(autoscaler, now),
  ];
}

function autoscalerMetrics(autoscaler: Tree): string {
  const current = treesAt(autoscaler, "status", "currentMetrics");
  const texts = treesAt(autoscaler, "spec", "metrics").map((spec, index) => metricText(spec, current[index]));
  if (texts.length === 0) {
    return "<none>";
  }
  const shown = texts.slice(0, 2).join(", ");
  return texts.length > 2 ? `${shown} + ${texts.length - 2} more...` : shown;
}

function metricText(spec: Tree, status: Tree | undefined): string {
  const type = stringAt(spec, "type");
  const field = `${type.slice(0, 1).toLowerCase()}${type.slice(1)}`;
  const target = treeAt(spec, field, "target");
  const now = treeAt(status, field, "current");
  const prefix = type.endsWith("Resource") ? `${stringAt(spec, field, "name")}: ` : "";
  const average = nodeAt(target, "averageValue");
  if (average !== undefined) {
    const suffix = type === "External" || type === "Object" ? " (avg)" : "";
    return `${prefix}${textOf(nodeAt(now, "averageValue"), "<unknown>")}/${textOf(average, "")}${suffix}`;
  }
  if (type.endsWith("Resource")) {
    const wanted = nodeAt(target, "averageUtilization");
    const used = nodeAt(now, "averageUtilization");
    return `${prefix}${used === undefined ? "<unknown>" : `${textOf(used, "")}%`}/${wanted === undefined ? "<auto>" : `${textOf(wanted, "")}%`}`;
  }
  return `${textOf(nodeAt(now, "value"), "<unknown>")}/${textOf(nodeAt(target, "value"), "")}`;
}

/** The rules of HorizontalPodAutoscalers, which are kept in the form of autoscaling/v2. */
const autoscalerRules: KindRules = {
  check: checkAutoscaler,
  checkStatus: (autoscaler) => checkCounts(autoscaler.at("status"), "currentReplicas", "desiredReplicas"),
};

/** HorizontalPodAutoscalers. */
export const autoscaler: Kind = {
  bucket: "horizontalpodautoscalers.autoscaling",
  rules: autoscalerRules,
  defaults: autoscalingDefaulters,
  cells: autoscalerCells,
};
