import type { JsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { syncAnnotationOf } from "../plan/annotations.ts";
import { hookPhasesOf } from "../plan/hooks.ts";
import { conditionOf, countOf, objectOf, objectsOf, specOf, statusOf, textOf } from "./fields.ts";
import { type Health, health } from "./health-status.ts";

/**
 * A Pod that runs forever is healthy when it's ready; a Pod that ends is healthy when it has succeeded. A Pod
 * that ends isn't degraded by an image that can't be pulled: it may still run and determine the result of a
 * hook.
 */
export function podHealth(live: KubeObject): Health {
  const status = statusOf(live);
  const message = textOf(status["message"]);
  const runsForEver = isRunForEver(live);
  const stuck = runsForEver ? stuckContainers(status) : [];
  if (stuck.length > 0) {
    return health("Degraded", stuck.join(", "));
  }
  switch (textOf(status["phase"])) {
    case "Pending":
      return health("Progressing", message);
    case "Succeeded":
      return health("Healthy", message);
    case "Failed":
      return health("Degraded", message === "" ? failureOf(status) : message);
    case "Running":
      return runsForEver ? runningHealth(status) : health("Progressing", message);
    default:
      return health("Unknown", message);
  }
}

/**
 * The API server sets restartPolicy to Always if it's absent. An annotation declares that a Pod with another
 * policy runs forever too; a hook is expected to end nevertheless.
 */
function isRunForEver(live: KubeObject): boolean {
  const policy = textOf(specOf(live)["restartPolicy"]);
  return policy === "" || policy === "Always" || (isPolicyIgnored(live) && !isHook(live));
}

function isPolicyIgnored(live: KubeObject): boolean {
  return syncAnnotationOf(live, "ignore-restart-policy") === "true";
}

function isHook(live: KubeObject): boolean {
  return (hookPhasesOf(live, true) ?? []).length > 0;
}

/**
 * The messages of containers that wait for an error to be resolved: ErrImagePull, ImagePullBackOff,
 * CrashLoopBackOff, …
 */
function stuckContainers(status: JsonObject): readonly string[] {
  return containersOf(status)
    .map((container) => objectOf(objectOf(container["state"])["waiting"]))
    .filter((waiting) => /^Err|Error$|BackOff$/.test(textOf(waiting["reason"])))
    .map((waiting) => textOf(waiting["message"]) || textOf(waiting["reason"]));
}

function runningHealth(status: JsonObject): Health {
  const message = textOf(status["message"]);
  if (conditionOf(status, "Ready")?.status === "True") {
    return health("Healthy", message);
  }
  const hasEnded = containersOf(status).some(
    (container) => objectOf(container["lastState"])["terminated"] !== undefined,
  );
  return health(hasEnded ? "Degraded" : "Progressing", message);
}

/** Why the first failed container failed. */
function failureOf(status: JsonObject): string {
  const containers = [...objectsOf(status["initContainerStatuses"]), ...containersOf(status)];
  return containers.map(exitOf).find((message) => message !== "") ?? "";
}

function exitOf(container: JsonObject): string {
  const terminated = objectOf(objectOf(container["state"])["terminated"]);
  const code = countOf(terminated["exitCode"]);
  const said = textOf(terminated["message"]);
  if (said !== "" || terminated["reason"] === "OOMKilled") {
    return said === "" ? "OOMKilled" : said;
  }
  return code === 0 ? "" : `container "${textOf(container["name"])}" failed with exit code ${code}`;
}

function containersOf(status: JsonObject): readonly JsonObject[] {
  return objectsOf(status["containerStatuses"]);
}
