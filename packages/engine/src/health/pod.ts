import type { JsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { conditionOf, countOf, objectOf, objectsOf, specOf, statusOf, textOf } from "./fields.ts";
import { type Health, health } from "./health-status.ts";

/**
 * A Pod that is to run for ever is healthy when it is ready, one that is to end when it has succeeded. A pod
 * that is to end is not degraded by an image that cannot be pulled: it may still run and decide on a hook.
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

/** The API server sets restartPolicy to Always where it is absent. */
function isRunForEver(live: KubeObject): boolean {
  const policy = textOf(specOf(live)["restartPolicy"]);
  return policy === "" || policy === "Always";
}

/** What containers say that wait for an error to go away: ErrImagePull, ImagePullBackOff, CrashLoopBackOff, … */
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

/** Why the first container that failed did so. */
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
