import { isJsonArray, messageOf } from "@weir/base";
import { annotationOf, type KubeObject } from "@weir/kube";
import { type Condition, conditionsOf, statusOf } from "./fields.ts";
import { type Health, health } from "./health-status.ts";

/**
 * The annotation in which autoscaling/v1, whose status has no conditions, stores the conditions of later
 * versions.
 */
const v1Conditions = "autoscaling.alpha.kubernetes.io/conditions";

const failures: ReadonlySet<string> = new Set([
  "AbleToScale FailedGetScale",
  "AbleToScale FailedUpdateScale",
  "ScalingActive FailedGetResourceMetric",
  "ScalingActive InvalidSelector",
]);

/** A HorizontalPodAutoscaler is healthy when it can scale; the first condition with a result decides. */
export function hpaHealth(live: KubeObject): Health {
  try {
    return judge(live.apiVersion === "autoscaling/v1" ? annotated(live) : conditionsOf(statusOf(live)));
  } catch (error) {
    return health("Unknown", `annotation ${v1Conditions}: ${messageOf(error)}`);
  }
}

function judge(conditions: readonly Condition[]): Health {
  for (const condition of conditions) {
    if (failures.has(`${condition.type} ${condition.reason}`)) {
      return health("Degraded", condition.message);
    }
    if (["AbleToScale", "ScalingLimited"].includes(condition.type) && condition.status === "True") {
      return health("Healthy", condition.message);
    }
  }
  return health("Progressing", "not able to scale yet");
}

function annotated(live: KubeObject): readonly Condition[] {
  const conditions: unknown = JSON.parse(annotationOf(live, v1Conditions) ?? "[]");
  return isJsonArray(conditions) ? conditionsOf({ conditions }) : [];
}
