import { definedKind } from "../defined-kind.ts";
import { compareWaves } from "./order.ts";
import { isDeletion, type SyncTask } from "./task.ts";

type Place = Pick<SyncTask, "phase" | "wave">;

/**
 * Moves namespaces and custom resource definitions that come too late to the wave of the first object that
 * needs them, which may be a hook before the sync. Within a wave, they come first anyway.
 */
export function withDependenciesFirst(tasks: readonly SyncTask[]): readonly SyncTask[] {
  const provided = new Set(tasks.flatMap((task) => providedBy(task) ?? []));
  if (provided.size === 0) {
    return tasks;
  }
  const needed = new Map<string, Place>();
  for (const task of tasks) {
    for (const what of isDeletion(task) ? [] : neededBy(task)) {
      const first = needed.get(what);
      if (provided.has(what) && (first === undefined || compareWaves(task, first) < 0)) {
        needed.set(what, task);
      }
    }
  }
  return tasks.map((task) => movedBefore(task, needed.get(providedBy(task) ?? "")));
}

function movedBefore(task: SyncTask, first: Place | undefined): SyncTask {
  return first === undefined || compareWaves(task, first) <= 0
    ? task
    : { ...task, phase: first.phase, wave: first.wave };
}

/** What other objects need of a target: a namespace, or a kind. */
function providedBy(task: SyncTask): string | undefined {
  if (!("method" in task)) {
    return undefined;
  }
  const { group, kind, name } = task.key;
  const defined = definedKind(task.target);
  return group === "" && kind === "Namespace" ? `namespace ${name}` : defined && `kind ${defined}`;
}

function neededBy({ key: { group, kind, namespace } }: SyncTask): readonly string[] {
  return [`namespace ${namespace}`, `kind ${group}/${kind}`];
}
