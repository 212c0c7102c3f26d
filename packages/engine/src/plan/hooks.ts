import { DurationError, parseDuration } from "@weir/base";
import { annotationOf, type KubeObject } from "@weir/kube";
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

const usualTimeoutMs = 3_600_000;

/** How long a hook can take, from its annotation with a Go duration; an hour if there is no valid one. */
export function hookTimeoutOf(object: KubeObject): number {
  try {
    const ms = parseDuration(syncAnnotationOf(object, "hook-timeout") ?? "");
    return ms > 0 ? ms : usualTimeoutMs;
  } catch (error) {
    if (error instanceof DurationError) {
      return usualTimeoutMs;
    }
    throw error;
  }
}

const operationAnnotation = "weir.dev/operation";

/** One run of a hook: the operation, and the phase, because an object can be a hook in several phases. */
export interface HookStamp {
  readonly operation: string;
  readonly phase: SyncPhase;
}

/** The hook as it's created: it carries the run to which it belongs. */
export function stampedHook(object: KubeObject, stamp: HookStamp): KubeObject {
  const annotations = { ...object.metadata.annotations, [operationAnnotation]: printStamp(stamp) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** Whose run a live hook is: this one, another one of an engine, or unknown. */
export function runOf(live: KubeObject, stamp: HookStamp): "this" | "other" | "unknown" {
  const found = annotationOf(live, operationAnnotation);
  if (found === undefined) {
    return "unknown";
  }
  return found === printStamp(stamp) ? "this" : "other";
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

function printStamp({ operation, phase }: HookStamp): string {
  return `${operation}/${phase}`;
}

function isPhase(word: string): word is SyncPhase {
  return phases.has(word);
}

function isPolicy(word: string): word is HookDeletePolicy {
  return policies.has(word);
}
