/** What the admission plugins that are on by default do to new pods: priority and tolerations. */

import type { RuleContext } from "../../resources/kind-rules.ts";
import { forbiddenError } from "../../status-errors.ts";
import { treeOf } from "../../storage/stored-object.ts";
import { ensureTree, isTrueAt, listAt, numberAt, stringAt, type Tree, treeAt, treesAt } from "../../tree.ts";

const pods = { group: "", resource: "pods" };

/** Fills in a new pod. Throws KubeApiError (403) where it names a priority or runtime class that is not there. */
export function admitPod(pod: Tree, context: RuleContext): void {
  const spec = ensureTree(pod, "spec");
  takePriority(pod, spec, context);
  requireRuntimeClass(pod, spec, context);
  admitTolerations(pod);
}

/** Fills in what a pod puts up with, also where an update took it away. */
export function admitTolerations(pod: Tree): void {
  for (const taint of ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"]) {
    tolerate(ensureTree(pod, "spec"), taint);
  }
}

function takePriority(pod: Tree, spec: Tree, { cluster }: RuleContext): void {
  const name = stringAt(spec, "priorityClassName");
  const found =
    name === "" ? defaultClass(cluster) : cluster.read("priorityclasses.scheduling.k8s.io", "", name);
  if (name !== "" && found === undefined) {
    throw forbiddenError(
      pods,
      stringAt(pod, "metadata", "name"),
      `no PriorityClass with name ${name} was found`,
    );
  }
  const priority = numberAt(found, "value") ?? 0;
  const asked = numberAt(spec, "priority");
  if (asked !== undefined && asked !== priority) {
    const why = `the integer value of priority (${asked}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`;
    throw forbiddenError(pods, stringAt(pod, "metadata", "name"), why);
  }
  if (found !== undefined && name === "") {
    spec["priorityClassName"] = stringAt(found, "metadata", "name");
  }
  spec["priority"] = priority;
  const policy = stringAt(found, "preemptionPolicy") || "PreemptLowerPriority";
  spec["preemptionPolicy"] = stringAt(spec, "preemptionPolicy") || policy;
}

function defaultClass(cluster: RuleContext["cluster"]): Tree | undefined {
  return cluster
    .all("priorityclasses.scheduling.k8s.io")
    .map((stored) => treeOf(stored))
    .filter((one) => isTrueAt(one, "globalDefault"))
    .sort((a, b) => (numberAt(a, "value") ?? 0) - (numberAt(b, "value") ?? 0))[0];
}

function requireRuntimeClass(pod: Tree, spec: Tree, { cluster }: RuleContext): void {
  const name = stringAt(spec, "runtimeClassName");
  if (name === "") {
    return;
  }
  const found = cluster.read("runtimeclasses.node.k8s.io", "", name);
  if (found === undefined) {
    const why = `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`;
    throw forbiddenError(pods, stringAt(pod, "metadata", "name"), why);
  }
  const overhead = treeAt(found, "overhead", "podFixed");
  if (overhead !== undefined) {
    spec["overhead"] = { ...overhead };
  }
}

/** A pod stays five minutes on a node that is lost, where it says nothing else. */
function tolerate(spec: Tree, taint: string): void {
  const isTolerated = treesAt(spec, "tolerations").some((toleration) => {
    const key = stringAt(toleration, "key");
    return (key === taint || key === "") && ["NoExecute", ""].includes(stringAt(toleration, "effect"));
  });
  if (!isTolerated) {
    const toleration = { key: taint, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 };
    spec["tolerations"] = [...listAt(spec, "tolerations"), toleration];
  }
}
