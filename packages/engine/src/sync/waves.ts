import type { KubeObject } from "@weir/kube";
import { syncAnnotationOf } from "./annotations.ts";

/** The wave in an object's sync-wave annotation; 0 if it isn't a number. */
export function waveOf(object: KubeObject): number {
  const text = syncAnnotationOf(object, "sync-wave") ?? "";
  const wave = /^[+-]?\d+$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(wave) ? wave : 0;
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
