import { ageOf, type Cells, nameOf, printAge } from "../../tables/cell-text.ts";
import { isTrueAt, nodeAt, numberAt, stringAt, type Tree, type TreeNode, treesAt } from "../../tree.ts";

/** The cells of Pods: what kubectl makes of their many states. */
export const podCells: Cells = (pod, now) => {
  const summary = summarize(pod);
  return [
    nameOf(pod),
    `${summary.ready}/${summary.total}`,
    summary.reason,
    restartsCell(summary, now),
    ageOf(pod, now),
    stringAt(pod, "status", "podIP") || "<none>",
    stringAt(pod, "spec", "nodeName") || "<none>",
    stringAt(pod, "status", "nominatedNodeName") || "<none>",
    readinessGates(pod),
  ];
};

interface Summary {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  readonly lastRestart: string;
}

function summarize(pod: Tree): Summary {
  const init = summarizeInit(pod);
  const main = init.reason === undefined || isInitialized(pod) ? summarizeMain(pod) : undefined;
  const reason = main?.reason ?? init.reason ?? baseReason(pod);
  const sidecars = treesAt(pod, "spec", "initContainers").filter(isSidecar).length;
  return {
    ready: init.ready + (main?.ready ?? 0),
    total: treesAt(pod, "spec", "containers").length + sidecars,
    reason: deletionReason(pod) ?? reason,
    restarts: main?.restarts ?? init.restarts,
    lastRestart: main?.lastRestart ?? init.lastRestart,
  };
}

function baseReason(pod: Tree): string {
  const gated = treesAt(pod, "status", "conditions").some(
    (condition) => condition["type"] === "PodScheduled" && condition["reason"] === "SchedulingGated",
  );
  return gated ? "SchedulingGated" : stringAt(pod, "status", "reason") || stringAt(pod, "status", "phase");
}

/** The first init container that is not done says what the pod waits for. */
function summarizeInit(pod: Tree) {
  const specs = treesAt(pod, "spec", "initContainers");
  const statuses = treesAt(pod, "status", "initContainerStatuses");
  let ready = 0;
  let restarts = 0;
  let lastRestart = "";
  for (const [index, status] of statuses.entries()) {
    const sidecar = specs.some((spec) => spec["name"] === status["name"] && isSidecar(spec));
    restarts += numberAt(status, "restartCount") ?? 0;
    lastRestart = later(lastRestart, stringAt(status, "lastState", "terminated", "finishedAt"));
    if (sidecar && isTrueAt(status, "started")) {
      ready += isTrueAt(status, "ready") ? 1 : 0;
    } else if (numberAt(status, "state", "terminated", "exitCode") !== 0) {
      return { ready, restarts, lastRestart, reason: initReason(status, index, specs.length) };
    }
  }
  return { ready, restarts, lastRestart, reason: undefined };
}

function initReason(status: Tree, index: number, total: number): string {
  const terminated = nodeAt(status, "state", "terminated");
  const waiting = stringAt(status, "state", "waiting", "reason");
  if (terminated !== undefined) {
    return `Init:${stringAt(terminated, "reason") || exitReason(terminated)}`;
  }
  return waiting !== "" && waiting !== "PodInitializing" ? `Init:${waiting}` : `Init:${index}/${total}`;
}

function summarizeMain(pod: Tree) {
  let reason = baseReason(pod);
  let ready = 0;
  let restarts = 0;
  let lastRestart = "";
  for (const status of treesAt(pod, "status", "containerStatuses").reverse()) {
    const terminated = nodeAt(status, "state", "terminated");
    const waiting = stringAt(status, "state", "waiting", "reason");
    restarts += numberAt(status, "restartCount") ?? 0;
    lastRestart = later(lastRestart, stringAt(status, "lastState", "terminated", "finishedAt"));
    if (waiting !== "") {
      reason = waiting;
    } else if (terminated !== undefined) {
      reason = stringAt(terminated, "reason") || exitReason(terminated);
    } else if (isTrueAt(status, "ready") && nodeAt(status, "state", "running") !== undefined) {
      ready++;
    }
  }
  if (reason === "Completed" && ready > 0) {
    reason = hasCondition(pod, "Ready") ? "Running" : "NotReady";
  }
  return { reason, ready, restarts, lastRestart };
}

function exitReason(terminated: TreeNode): string {
  const signal = numberAt(terminated, "signal") ?? 0;
  return signal === 0 ? `ExitCode:${numberAt(terminated, "exitCode") ?? 0}` : `Signal:${signal}`;
}

function deletionReason(pod: Tree): string | undefined {
  const phase = stringAt(pod, "status", "phase");
  if (stringAt(pod, "metadata", "deletionTimestamp") === "") {
    return undefined;
  }
  if (stringAt(pod, "status", "reason") === "NodeLost") {
    return "Unknown";
  }
  return phase === "Succeeded" || phase === "Failed" ? undefined : "Terminating";
}

function restartsCell({ restarts, lastRestart }: Summary, now: number): string {
  return restarts === 0 || lastRestart === ""
    ? String(restarts)
    : `${restarts} (${printAge(lastRestart, now)} ago)`;
}

function readinessGates(pod: Tree): string {
  const gates = treesAt(pod, "spec", "readinessGates");
  const met = gates.filter((gate) => hasCondition(pod, stringAt(gate, "conditionType")));
  return gates.length === 0 ? "<none>" : `${met.length}/${gates.length}`;
}

function isInitialized(pod: Tree): boolean {
  return hasCondition(pod, "Initialized");
}

function hasCondition(pod: Tree, type: string): boolean {
  return treesAt(pod, "status", "conditions").some(
    (condition) => condition["type"] === type && condition["status"] === "True",
  );
}

function isSidecar(container: Tree): boolean {
  return container["restartPolicy"] === "Always";
}

function later(a: string, b: string): string {
  return a < b ? b : a;
}
