/** How a Deployment gets from old pods to new ones: pure decisions, step by step, as Kubernetes takes them. */
import { nodeAt, numberAt, stringAt, type Tree, type TreeNode } from "../../tree.ts";

/** One ReplicaSet of a Deployment, in numbers. */
export interface SetSize {
  readonly name: string;
  /** What its spec asks for. */
  readonly wanted: number;
  readonly available: number;
}

/** What a Deployment asks for. */
export interface RolloutLimits {
  readonly replicas: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** The limits of a Deployment; percentages are of its replicas, surge rounded up and unavailability down. */
export function limitsOf(deployment: Tree): RolloutLimits {
  const replicas = numberAt(deployment, "spec", "replicas") ?? 1;
  if (stringAt(deployment, "spec", "strategy", "type") === "Recreate") {
    return { replicas, maxSurge: 0, maxUnavailable: replicas };
  }
  const rolling = nodeAt(deployment, "spec", "strategy", "rollingUpdate");
  const maxSurge = countOf(nodeAt(rolling, "maxSurge"), replicas, Math.ceil);
  const maxUnavailable = countOf(nodeAt(rolling, "maxUnavailable"), replicas, Math.floor);
  // Both may round to nothing; then one pod at a time may be missing, or nothing would ever move.
  return {
    replicas,
    maxSurge,
    maxUnavailable: Math.min(replicas, maxSurge === 0 && maxUnavailable === 0 ? 1 : maxUnavailable),
  };
}

/** A count, or a percentage of a whole. */
export function countOf(value: TreeNode | undefined, whole: number, round: (n: number) => number): number {
  if (typeof value === "number") {
    return value;
  }
  const percent = typeof value === "string" ? Number.parseInt(value, 10) : 0;
  return round((percent * whole) / 100);
}

/** How many pods the new set of a rolling update may have now. */
export function newSetSize(limits: RolloutLimits, current: number, total: number): number {
  const room = limits.replicas + limits.maxSurge - total;
  return current >= limits.replicas
    ? limits.replicas
    : current + Math.max(0, Math.min(room, limits.replicas - current));
}

/** The sizes of the old sets (oldest first) after one step of a rolling update; those that stay are left out. */
export function oldSetSizes(
  limits: RolloutLimits,
  current: SetSize,
  old: readonly SetSize[],
): ReadonlyMap<string, number> {
  const total = sum([current, ...old].map(({ wanted }) => wanted));
  const fewest = limits.replicas - limits.maxUnavailable;
  const mostLess = total - fewest - (current.wanted - current.available);
  const sizes = new Map<string, number>();
  if (mostLess > 0) {
    // Pods that do not serve go first: they are missed by nobody.
    takeFrom(sizes, old, mostLess, ({ wanted, available }) => wanted - available);
    const spare = sum([current, ...old].map(({ available }) => available)) - fewest;
    takeFrom(sizes, old, spare, ({ wanted }) => wanted);
  }
  return sizes;
}

function takeFrom(
  sizes: Map<string, number>,
  sets: readonly SetSize[],
  most: number,
  atMostOf: (set: SetSize) => number,
): void {
  let left = most;
  for (const set of sets) {
    const size = sizes.get(set.name) ?? set.wanted;
    const less = Math.min(left, size, atMostOf(set));
    if (less > 0) {
      sizes.set(set.name, size - less);
      left -= less;
    }
  }
}

/** The sum of numbers. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
