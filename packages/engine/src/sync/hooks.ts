import type { KubeObject } from "@weir/kube";
import { syncAnnotationOf, syncWordsOf } from "./annotations.ts";
import type { HookDeletePolicy, SyncPhase } from "./task.ts";

const phases: ReadonlySet<string> = new Set<SyncPhase>(["PreSync", "Sync", "PostSync", "SyncFail"]);
const policies: ReadonlySet<string> = new Set<HookDeletePolicy>([
  "BeforeHookCreation",
  "HookSucceeded",
  "HookFailed",
]);

/**
 * The phases that an object is a hook in, by its annotation hook; undefined where it is no hook but an object to
 * be kept in step. Empty for what is in no phase: one marked Skip, or with words that are not known, which is
 * left alone rather than taken for an ordinary object.
 */
export function hookPhasesOf(object: KubeObject): readonly SyncPhase[] | undefined {
  if (syncAnnotationOf(object, "hook") === undefined) {
    return undefined;
  }
  return syncWordsOf(object, "hook").filter(isPhase);
}

/** When a hook is deleted; where it does not say, before it is created anew. */
export function deletePoliciesOf(object: KubeObject): readonly HookDeletePolicy[] {
  const named = syncWordsOf(object, "hook-delete-policy").filter(isPolicy);
  return named.length === 0 ? ["BeforeHookCreation"] : named;
}

/** Which sync a hook is run by; it goes into the names that are made up for hooks. */
export interface HookRun {
  readonly revision: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/**
 * The hook as it is created in a phase: one with a generateName gets its name here, not from the server, so
 * that it can be found again.
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
