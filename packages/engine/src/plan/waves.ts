import type { KubeObject } from "@weir/kube";
import { syncAnnotationOf } from "./annotations.ts";
import { helmWeightOf } from "./helm-hooks.ts";

/**
 * The wave in an object's sync-wave annotation. If there is none, or it isn't a number, `helm` says whether
 * Helm's weight is the wave; otherwise, it's 0.
 */
export function waveOf(object: KubeObject, helm: boolean): number {
  return numberIn(syncAnnotationOf(object, "sync-wave")) ?? (helm ? numberIn(helmWeightOf(object)) : 0) ?? 0;
}

/**
 * The waves in which objects of the given waves are pruned: the last applied are pruned first. The set of
 * waves stays the same, in reverse: of 0, 1, and 5, 0 becomes 5, 1 stays, and 5 becomes 0.
 */
export function mirroredWaves(waves: Iterable<number>): ReadonlyMap<number, number> {
  const ascending = [...new Set(waves)].sort((a, b) => a - b);
  const descending = ascending.toReversed();
  return new Map(ascending.map((wave, index) => [wave, descending[index] ?? wave]));
}

function numberIn(text = ""): number | undefined {
  const number = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}
