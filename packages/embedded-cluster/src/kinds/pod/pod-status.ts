/** The statuses that a pod goes through, as a kubelet reports them. */

import { type Condition, setConditions, withFields } from "../../conditions.ts";
import { numberAt, stringAt, type Tree, treeAt, treesAt } from "../../tree.ts";

/** Where a pod runs. */
export interface Place {
  readonly hostIp: string;
  readonly podIp: string;
}

/** A pod for which there is no node. */
export function unschedulable(pod: Tree, why: string, now: string): Tree {
  const status = { ...treeAt(pod, "status") };
  setPodConditions(status, pod, now, [
    { type: "PodScheduled", status: "False", reason: "Unschedulable", message: why },
  ]);
  return status;
}

/** A pod that has a node, and waits for its containers. */
export function starting(pod: Tree, place: Place, now: string): Tree {
  const names = treesAt(pod, "spec", "containers").map((container) => stringAt(container, "name"));
  const status: Tree = {
    ...treeAt(pod, "status"),
    phase: "Pending",
    ...addresses(place, false),
    startTime: now,
  };
  status["containerStatuses"] = containers(pod, "containers", (name) => ({
    name,
    ready: false,
    started: false,
    state: { waiting: { reason: "ContainerCreating" } },
  }));
  const why = {
    reason: "ContainersNotReady",
    message: `containers with unready status: [${names.join(" ")}]`,
  };
  setPodConditions(status, pod, now, [
    { type: "PodReadyToStartContainers", status: "False" },
    { type: "Initialized", status: "True" },
    { type: "Ready", status: "False", ...why },
    { type: "ContainersReady", status: "False", ...why },
    { type: "PodScheduled", status: "True" },
  ]);
  return status;
}

/** A pod that serves. */
export function running(pod: Tree, place: Place, now: string): Tree {
  const status: Tree = { ...treeAt(pod, "status"), phase: "Running", ...addresses(place, true) };
  status["containerStatuses"] = containers(pod, "containers", (name) => ({
    name,
    ready: true,
    started: true,
    state: { running: { startedAt: now } },
  }));
  status["initContainerStatuses"] = containers(pod, "initContainers", (name, container) =>
    stringAt(container, "restartPolicy") === "Always"
      ? { name, ready: true, started: true, state: { running: { startedAt: now } } }
      : { name, ready: true, started: false, state: ended(now, now) },
  );
  setPodConditions(status, pod, now, [
    { type: "PodReadyToStartContainers", status: "True" },
    { type: "Initialized", status: "True" },
    { type: "Ready", status: "True" },
    { type: "ContainersReady", status: "True" },
    { type: "PodScheduled", status: "True" },
  ]);
  return status;
}

/** A pod whose containers have done what they had to. */
export function succeeded(pod: Tree, place: Place, now: string): Tree {
  const status: Tree = { ...running(pod, place, now), phase: "Succeeded" };
  const since = stringAt(treeAt(pod, "status"), "startTime") || now;
  status["containerStatuses"] = containers(pod, "containers", (name) => ({
    name,
    ready: false,
    started: false,
    state: ended(since, now),
  }));
  const why = { status: "False", reason: "PodCompleted" } as const;
  setPodConditions(status, pod, now, [
    { type: "PodReadyToStartContainers", status: "False" },
    { type: "Initialized", status: "True", reason: "PodCompleted" },
    { type: "Ready", ...why },
    { type: "ContainersReady", ...why },
  ]);
  return status;
}

function setPodConditions(status: Tree, pod: Tree, now: string, conditions: readonly Condition[]): void {
  const generation = numberAt(pod, "metadata", "generation") ?? 0;
  const seen = generation === 0 ? {} : { observedGeneration: generation };
  setConditions(status, now, withFields(conditions, { ...seen, lastProbeTime: null }));
  if (generation > 0) {
    status["observedGeneration"] = generation;
  }
}

function addresses({ hostIp, podIp }: Place, hasPodIp: boolean): Tree {
  return {
    hostIP: hostIp,
    hostIPs: [{ ip: hostIp }],
    ...(hasPodIp ? { podIP: podIp, podIPs: [{ ip: podIp }] } : {}),
  };
}

function ended(startedAt: string, finishedAt: string): Tree {
  return { terminated: { exitCode: 0, reason: "Completed", startedAt, finishedAt } };
}

function containers(
  pod: Tree,
  field: string,
  make: (name: string, container: Tree) => Tree,
): Tree[] | undefined {
  const list = treesAt(pod, "spec", field).map((container) => {
    const image = stringAt(container, "image");
    const base = { image, imageID: "", lastState: {}, restartCount: 0 };
    return { ...base, ...make(stringAt(container, "name"), container) };
  });
  return list.length === 0 ? undefined : list;
}
