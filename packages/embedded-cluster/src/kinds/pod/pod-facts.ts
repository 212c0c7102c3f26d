/** What controllers ask of pods. */

import { conditionOf, isCondition } from "../../conditions.ts";
import type { Owned } from "../../controllers/owned.ts";
import { numberAt, stringAt, type Tree, treeAt } from "../../tree.ts";

/** True for a pod that runs or will: neither finished nor going. */
export function isActive({ stored, tree }: Owned): boolean {
  return !stored.deleting && !isFinished(tree);
}

/** True for a pod whose containers have all ended. */
export function isFinished(pod: Tree): boolean {
  return ["Succeeded", "Failed"].includes(stringAt(pod, "status", "phase"));
}

/** True for a pod that serves. */
export function isReady(pod: Tree): boolean {
  return isCondition(treeAt(pod, "status"), "Ready");
}

/** In how many milliseconds a pod counts as available: 0 for one that does, undefined for one that is not ready. */
export function availableIn(pod: Tree, minReadySeconds: number, now: number): number | undefined {
  if (!isReady(pod)) {
    return undefined;
  }
  const since = Date.parse(stringAt(conditionOf(treeAt(pod, "status"), "Ready"), "lastTransitionTime"));
  return minReadySeconds === 0 ? 0 : Math.max(0, (since || 0) + minReadySeconds * 1000 - now);
}

/** The pods that serve, those that count as available, and when the next of them will, in milliseconds. */
export function countPods(pods: readonly Owned[], minReadySeconds: number, now: number) {
  const waits = pods.flatMap(({ tree }) => availableIn(tree, minReadySeconds, now) ?? []);
  const coming = waits.filter((ms) => ms > 0);
  return {
    ready: waits.length,
    available: waits.length - coming.length,
    next: coming.length === 0 ? undefined : Math.min(...coming),
  };
}

/** The wanted count of a workload; one where it says nothing. */
export function wantedReplicas(workload: Tree): number {
  return numberAt(workload, "spec", "replicas") ?? 1;
}

/** The first to be deleted come first: those that serve least, then the youngest. */
export function byUselessness(a: Owned, b: Owned): number {
  const difference = usefulness(a.tree) - usefulness(b.tree);
  return difference === 0 ? b.stored.revision - a.stored.revision : difference;
}

function usefulness(pod: Tree): number {
  const isAssigned = stringAt(pod, "spec", "nodeName") !== "";
  const isRunning = stringAt(pod, "status", "phase") === "Running";
  return (isAssigned ? 1 : 0) + (isRunning ? 2 : 0) + (isReady(pod) ? 4 : 0);
}
