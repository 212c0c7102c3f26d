import type { KubeObject } from "@weir/kube";
import { syncAnnotationOf, syncWordsOf } from "./annotations.ts";
import { helmDeletePoliciesOf, helmPhasesOf } from "./helm-hooks.ts";
import type { HookDeletePolicy, SyncPhase } from "./task.ts";

const phases: ReadonlySet<string> = new Set<SyncPhase>(["PreSync", "Sync", "PostSync", "SyncFail"]);
const policies: ReadonlySet<string> = new Set<HookDeletePolicy>([
  "BeforeHookCreation",
  "HookSucceeded",
  "HookFailed",
]);

/**
 * The phases in which an object is a hook, according to its hook annotation; undefined if it's an ordinary
 * object. Empty for an object that runs in no phase: one marked Skip, or one with unknown words, which is
 * ignored instead of being treated as an ordinary object. `helm`: Helm's annotation counts if there is no
 * other.
 */
export function hookPhasesOf(object: KubeObject, helm: boolean): readonly SyncPhase[] | undefined {
  if (syncAnnotationOf(object, "hook") === undefined) {
    return helm ? helmPhasesOf(object) : undefined;
  }
  return syncWordsOf(object, "hook").filter(isPhase);
}

/** When a hook is deleted; by default, before it's created again. `helm`: Helm's annotation counts too. */
export function deletePoliciesOf(object: KubeObject, helm: boolean): readonly HookDeletePolicy[] {
  const own = syncWordsOf(object, "hook-delete-policy").filter(isPolicy);
  const named = [...new Set([...own, ...(helm ? helmDeletePoliciesOf(object) : [])])];
  return named.length === 0 ? ["BeforeHookCreation"] : named;
}

/** Identifies the sync that runs a hook; used in generated hook names. */
export interface HookRun {
  readonly revision: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/**
 * The hook as created in a phase: a hook with a generateName gets its name here, not from the server, so that
 * it can be found again.
 */
export function namedHook(object: KubeObject, phase: SyncPhase, run: HookRun): KubeObject {
  const { name, generateName, ...metadata } = object.metadata;
  if (name !== undefined || generateName === undefined) {
    return object;
  }
  const seconds = Math.floor(run.startedAt / 1000);
  const suffix = `${run.revision.slice(0, 7)}-${phase}-${seconds}`.toLowerCase();
  return {
    ...object,
    metadata: { ...metadata, name: `${generateName}${suffix.replace(/^[^a-z0-9]+/, "")}` },
  };
}

function isPhase(word: string): word is SyncPhase {
  return phases.has(word);
}

function isPolicy(word: string): word is HookDeletePolicy {
  return policies.has(word);
}
