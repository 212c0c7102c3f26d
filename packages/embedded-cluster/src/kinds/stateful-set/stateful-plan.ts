/** What to do next for a StatefulSet: pure decisions. */
import { numberAt, stringAt, type Tree } from "../../tree.ts";

/** A pod of a set, as far as decisions need to know. */
export interface StatefulPodState {
  readonly ordinal: number;
  /** The name of the revision that it was made from. */
  readonly revision: string;
  readonly isReady: boolean;
  readonly isDeleting: boolean;
}

/** Where a set stands. */
export interface StatefulState {
  /** The numbers of the pods that it is to have. */
  readonly wanted: readonly number[];
  readonly pods: readonly StatefulPodState[];
  /** The name of the revision that its pods are to be made from. */
  readonly revision: string;
}

/** What is to be done now. */
export interface StatefulPlan {
  /** The numbers of pods to make. */
  readonly create: readonly number[];
  /** The numbers of pods to delete. */
  readonly remove: readonly number[];
}

const nothing: StatefulPlan = { create: [], remove: [] };

/**
 * The next step. One at a time in the order of their numbers, each only when those before serve, unless the set
 * says "Parallel"; surplus pods go from the highest number down, and so do those of an outdated template.
 */
export function planStateful(set: Tree, { wanted, pods, revision }: StatefulState): StatefulPlan {
  const isParallel = stringAt(set, "spec", "podManagementPolicy") === "Parallel";
  const byOrdinal = new Map(pods.map((pod) => [pod.ordinal, pod]));
  const missing = wanted.filter((ordinal) => !byOrdinal.has(ordinal));
  const surplus = pods
    .filter(({ ordinal }) => !wanted.includes(ordinal))
    .sort((a, b) => b.ordinal - a.ordinal);
  if (isParallel) {
    const remove = surplus.filter(({ isDeleting }) => !isDeleting).map(({ ordinal }) => ordinal);
    return missing.length + remove.length > 0 ? { create: missing, remove } : planUpdate(set, pods, revision);
  }
  const blocked = wanted.find((ordinal) => !isServing(byOrdinal.get(ordinal)));
  if (blocked !== undefined) {
    return byOrdinal.has(blocked) ? nothing : { create: [blocked], remove: [] };
  }
  const [last] = surplus;
  if (last !== undefined) {
    return last.isDeleting ? nothing : { create: [], remove: [last.ordinal] };
  }
  return planUpdate(set, pods, revision);
}

function isServing(pod: StatefulPodState | undefined): boolean {
  return pod?.isReady === true && !pod.isDeleting;
}

function planUpdate(set: Tree, pods: readonly StatefulPodState[], revision: string): StatefulPlan {
  if (stringAt(set, "spec", "updateStrategy", "type") === "OnDelete") {
    return nothing;
  }
  const partition = numberAt(set, "spec", "updateStrategy", "rollingUpdate", "partition") ?? 0;
  for (const pod of [...pods].sort((a, b) => b.ordinal - a.ordinal)) {
    if (pod.ordinal < partition) {
      return nothing;
    }
    if (pod.revision !== revision) {
      return pod.isDeleting ? nothing : { create: [], remove: [pod.ordinal] };
    }
    if (!isServing(pod)) {
      return nothing;
    }
  }
  return nothing;
}

/** Which template a pod that is to be made gets: below the partition the one that was current before. */
export function isOldTemplate(set: Tree, ordinal: number): boolean {
  const partition = numberAt(set, "spec", "updateStrategy", "rollingUpdate", "partition") ?? 0;
  return ordinal < partition;
}
