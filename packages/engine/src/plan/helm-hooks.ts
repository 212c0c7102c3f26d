/**
 * Helm's annotations for hooks, read as Argo CD reads them. Helm tells an installation from an upgrade; a sync
 * is both.
 */
import { annotationOf, type KubeObject } from "@weir/kube";
import { wordsIn } from "./annotations.ts";
import type { HookDeletePolicy, SyncPhase } from "./task.ts";

const phases: ReadonlyMap<string, SyncPhase> = new Map([
  ["pre-install", "PreSync"],
  ["pre-upgrade", "PreSync"],
  ["post-install", "PostSync"],
  ["post-upgrade", "PostSync"],
]);

const policies: ReadonlyMap<string, HookDeletePolicy> = new Map([
  ["before-hook-creation", "BeforeHookCreation"],
  ["hook-succeeded", "HookSucceeded"],
  ["hook-failed", "HookFailed"],
]);

/**
 * The phases of a Helm hook; undefined if the object isn't one. Empty for hooks that no sync runs, such as
 * tests and those of deletion and rollback. Helm 2's crd-install marks an ordinary object.
 */
export function helmPhasesOf(object: KubeObject): readonly SyncPhase[] | undefined {
  const text = annotationOf(object, "helm.sh/hook");
  if (text === undefined) {
    return undefined;
  }
  const words = wordsIn(text);
  if (words.length > 0 && words.every((word) => word === "crd-install")) {
    return undefined;
  }
  return [...new Set(words.flatMap((word) => phases.get(word) ?? []))];
}

/** When a Helm hook is deleted; empty if it doesn't say. */
export function helmDeletePoliciesOf(object: KubeObject): readonly HookDeletePolicy[] {
  const words = wordsIn(annotationOf(object, "helm.sh/hook-delete-policy"));
  return words.flatMap((word) => policies.get(word) ?? []);
}

/** The text of Helm's weight, which orders hooks as waves do. */
export function helmWeightOf(object: KubeObject): string | undefined {
  return annotationOf(object, "helm.sh/hook-weight");
}

/** True if Helm would keep the object when it's no longer in the chart. */
export function isKeptByHelm(object: KubeObject): boolean {
  return annotationOf(object, "helm.sh/resource-policy")?.trim() === "keep";
}
