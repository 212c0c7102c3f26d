import { messageOf } from "@weir/base";
import {
  type Container,
  type PolicySet,
  parseImageRef,
  parseResourceId,
  type ResourceId,
  type Workload,
} from "@weir/flux";
import { annotationOf, type GroupKind, type KubeObject, labelOf } from "@weir/kube";
import { type WrittenContainer, writtenContainers } from "../manifests/workload.ts";
import { liveIdOf } from "./live-id.ts";
import {
  cronJobRollout,
  daemonSetRollout,
  deploymentRollout,
  helmReleaseRollout,
  type Rollout,
  statefulSetRollout,
} from "./rollout-status.ts";

const antecedentAnnotation = "helm.fluxcd.io/antecedent";
const policyPrefix = "fluxcd.io/";

/** A kind with containers, and how to determine its rollout. */
interface WorkloadKind extends GroupKind {
  rollout(object: KubeObject): Rollout;
}

/** By the kind in resource IDs, which is in lower case. */
const workloadKinds: ReadonlyMap<string, WorkloadKind> = new Map([
  ["deployment", { group: "apps", kind: "Deployment", rollout: deploymentRollout }],
  ["daemonset", { group: "apps", kind: "DaemonSet", rollout: daemonSetRollout }],
  ["statefulset", { group: "apps", kind: "StatefulSet", rollout: statefulSetRollout }],
  ["cronjob", { group: "batch", kind: "CronJob", rollout: cronJobRollout }],
  ["helmrelease", { group: "helm.fluxcd.io", kind: "HelmRelease", rollout: helmReleaseRollout }],
]);

/** The kinds of workloads to list. */
export const workloadGroupKinds: readonly GroupKind[] = [...workloadKinds.values()];

/** The kind to look up for resource IDs of this kind; undefined if it isn't a workload. */
export function workloadKindOf(kind: string): GroupKind | undefined {
  return workloadKinds.get(kind);
}

/** A live object as a workload; undefined if it isn't one, or if it's an add-on of the cluster, which stays hidden. */
export function toWorkload(
  object: KubeObject,
  syncErrorOf: (id: ResourceId) => string | undefined,
): Workload | undefined {
  const kind = workloadKinds.get(object.kind.toLowerCase());
  if (!kind || isAddon(object)) {
    return undefined;
  }
  const id = liveIdOf(object);
  const antecedent = antecedentOf(object);
  const syncError = syncErrorOf(id);
  return {
    id,
    ...kind.rollout(object),
    ...(syncError === undefined ? {} : { syncError }),
    ...(antecedent === undefined ? {} : { antecedent }),
    labels: object.metadata.labels ?? null,
    policies: livePolicies(object),
    ...liveContainers(object),
  };
}

/** True for objects that the cluster itself contains and manages. Like Flux v1's isAddon. */
function isAddon(object: KubeObject): boolean {
  return (
    object.metadata.namespace === "kube-system" &&
    (labelOf(object, "kubernetes.io/cluster-service") === "true" ||
      ["EnsureExists", "Reconcile"].includes(labelOf(object, "addonmanager.kubernetes.io/mode") ?? ""))
  );
}

function antecedentOf(object: KubeObject): ResourceId | undefined {
  const text = annotationOf(object, antecedentAnnotation);
  try {
    return text === undefined ? undefined : parseResourceId(text);
  } catch {
    return undefined;
  }
}

/** As in Flux v1, live annotations count only with the newer prefix. */
function livePolicies(object: KubeObject): PolicySet {
  const annotations = Object.entries(object.metadata.annotations ?? {});
  return Object.fromEntries(
    annotations
      .filter(([name]) => name.startsWith(policyPrefix))
      .map(([name, value]) => [name.slice(policyPrefix.length), value]),
  );
}

/** The containers of a live workload, as far as their images can be parsed. */
type LiveContainers = Pick<Workload, "containers" | "unreadable">;

/**
 * The containers of a live object, then its init containers. As in Flux v1, an image that can't be parsed removes all
 * containers before it, and those after it in the same list.
 */
function liveContainers(object: KubeObject): LiveContainers {
  const { containers, initContainers } = writtenContainers(object);
  return [containers, initContainers].reduce(readOn, { containers: [] });
}

function readOn(before: LiveContainers, written: readonly WrittenContainer[]): LiveContainers {
  try {
    const read = written.map(({ name, image }): Container => ({ name, image: parseImageRef(image) }));
    return { ...before, containers: [...before.containers, ...read] };
  } catch (error) {
    return { containers: [], unreadable: messageOf(error) };
  }
}
