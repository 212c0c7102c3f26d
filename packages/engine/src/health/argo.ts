import type { KubeObject } from "@weir/kube";
import { conditionOf, numberOf, specOf, statusOf, textOf } from "./fields.ts";
import { type Health, type HealthStatus, health } from "./health-status.ts";

/** The phases of Argo's kinds, which run to an end, or through steps. */
const healthOfPhase: ReadonlyMap<string, HealthStatus> = new Map([
  ["", "Progressing"],
  ["Pending", "Progressing"],
  ["Running", "Progressing"],
  ["Succeeded", "Healthy"],
  ["Successful", "Healthy"],
  ["Failed", "Degraded"],
  ["Error", "Degraded"],
]);

/** A Workflow, AnalysisRun, or Experiment is healthy when it has succeeded. */
export function argoRunHealth(live: KubeObject): Health {
  const status = statusOf(live);
  const phase = textOf(status["phase"]);
  return health(healthOfPhase.get(phase) ?? "Unknown", textOf(status["message"]));
}

/**
 * A Rollout has the health of its phase, which Argo Rollouts reports since 1.0. Undefined for one without a phase.
 */
export function rolloutHealth(live: KubeObject): Health | undefined {
  const status = statusOf(live);
  if (!isRolloutObserved(live)) {
    return health("Progressing", "the new definition has not been observed yet");
  }
  const message = textOf(status["message"]);
  switch (status["phase"]) {
    case "Healthy":
    case "Progressing":
    case "Degraded":
      return health(status["phase"], message);
    case "Paused":
      return health("Suspended", message);
    default:
      return undefined;
  }
}

/** Rollouts report the observed generation as text; releases before 0.10 report a hash there instead. */
function isRolloutObserved(live: KubeObject): boolean {
  const status = statusOf(live);
  const wanted = numberOf(live.metadata.generation) ?? 0;
  const observed = wholeNumber(status["observedGeneration"]);
  const workload = wholeNumber(
    live.metadata.annotations?.["rollout.argoproj.io/workload-generation"] ?? undefined,
  );
  const followsWorkload = specOf(live)["workloadRef"] !== undefined && workload !== undefined;
  if (followsWorkload && wholeNumber(status["workloadObservedGeneration"]) !== workload) {
    return false;
  }
  return live.status !== undefined && (observed === undefined || observed >= wanted);
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : numberOf(value);
}

/** A CronWorkflow is healthy unless it can't start its workflows. */
export function cronWorkflowHealth(live: KubeObject): Health {
  const status = statusOf(live);
  const failed = ["SpecError", "SubmissionError"]
    .map((type) => conditionOf(status, type))
    .find((condition) => condition?.status === "True");
  if (failed !== undefined) {
    return health("Degraded", failed.message);
  }
  return specOf(live)["suspend"] === true
    ? health("Suspended", "its schedule is suspended")
    : health("Healthy");
}

/** An ApplicationSet is healthy when its Applications are as it wants them. */
export function applicationSetHealth(live: KubeObject): Health {
  const status = statusOf(live);
  const failed = conditionOf(status, "ErrorOccurred");
  if (failed?.status === "True") {
    return health("Degraded", failed.message);
  }
  const current = conditionOf(status, "ResourcesUpToDate");
  if (current?.status === "False") {
    return health("Degraded", current.message);
  }
  const rollout = conditionOf(status, "RolloutProgressing");
  if (rollout?.status === "True") {
    return health("Progressing", rollout.message);
  }
  return current?.status === "True"
    ? health("Healthy", current.message)
    : health("Progressing", "its applications have not been generated yet");
}

/** An EventBus is healthy when it is deployed. */
export function eventBusHealth(live: KubeObject): Health {
  const deployed = conditionOf(statusOf(live), "Deployed");
  const message = deployed?.message === "" ? deployed.reason : (deployed?.message ?? "");
  switch (deployed?.status) {
    case "True":
      return health("Healthy", message);
    case "False":
      return health("Degraded", message);
    default:
      return health("Progressing", message);
  }
}
