import { ageOf, nameOf, textOf } from "../../tables/cell-text.ts";
import { nodeAt, numberAt, stringAt, type Tree, type TreeNode, treeAt, treesAt } from "../../tree.ts";

/** The cells of HorizontalPodAutoscalers. */
export function autoscalerCells(autoscaler: Tree, now: number): TreeNode[] {
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
