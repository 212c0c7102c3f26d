import { isJsonArray, messageOf } from "@weir/base";
import { annotationOf, type KubeObject } from "@weir/kube";
import { type Condition, conditionsOf, statusOf } from "./fields.ts";
import { type Health, health } from "./health-status.ts";

/**
 * The annotation in which autoscaling/v1, whose status has no conditions, stores the conditions of later
 * versions.
 */
const v1Conditions = "autoscaling.alpha.kubernetes.io/conditions";

/** Conditions with which it doesn't scale until somebody repairs something. */
const failures: ReadonlySet<string> = new Set([
  "AbleToScale FailedGetScale",
  "AbleToScale FailedUpdateScale",
  "ScalingActive FailedComputeMetricsReplicas",
  "ScalingActive FailedGetContainerResourceMetric",
  "ScalingActive FailedGetExternalMetric",
  "ScalingActive FailedGetObjectMetric",
  "ScalingActive FailedGetPodsMetric",
  "ScalingActive FailedGetResourceMetric",
  "ScalingActive InvalidSelector",
]);

/**
 * A HorizontalPodAutoscaler is healthy when it can scale, and degraded if any of its conditions names a
 * failure.
 */
export function hpaHealth(live: KubeObject): Health {
  try {
    return judge(live.apiVersion === "autoscaling/v1" ? annotated(live) : conditionsOf(statusOf(live)));
  } catch (error) {
    return health("Unknown", `annotation ${v1Conditions}: ${messageOf(error)}`);
  }
}

function judge(conditions: readonly Condition[]): Health {
  const failed = conditions.find(({ type, reason }) => failures.has(`${type} ${reason}`));
  if (failed !== undefined) {
    return health("Degraded", failed.message);
  }
  const able = conditions.find(
    ({ type, status }) => ["AbleToScale", "ScalingLimited"].includes(type) && status === "True",
  );
  return able === undefined
    ? health("Progressing", "not able to scale yet")
    : health("Healthy", able.message);
}

function annotated(live: KubeObject): readonly Condition[] {
  const conditions: unknown = JSON.parse(annotationOf(live, v1Conditions) ?? "[]");
  return isJsonArray(conditions) ? conditionsOf({ conditions }) : [];
}
