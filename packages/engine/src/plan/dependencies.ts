import { definedKind } from "./defined-kind.ts";
import { compareWaves } from "./order.ts";
import { isDeletion, type SyncTask } from "./task.ts";

type Place = Pick<SyncTask, "phase" | "wave">;

/**
 * Moves namespaces and custom resource definitions that come too late to the wave of the first object that
 * needs them, which may be a hook before the sync. Within a wave, they come first anyway.
 */
export function withDependenciesFirst(tasks: readonly SyncTask[]): readonly SyncTask[] {
  const namespaces = new Needs(tasks, namespaceIn, ({ key }) => key.namespace);
  const kinds = new Needs(tasks, kindDefinedBy, ({ key }) => `${key.group}/${key.kind}`);
  return namespaces.isEmpty && kinds.isEmpty
    ? tasks
    : tasks.map((task) => movedBefore(task, namespaces.firstOf(task) ?? kinds.firstOf(task)));
}

/** Who needs what the tasks provide: one sort of things that other objects can't exist without. */
class Needs {
  /** By the name of a provided thing, the first that needs it; undefined while none is known. */
  readonly #first = new Map<string, Place | undefined>();
  readonly #providedBy: (task: SyncTask) => string | undefined;

  constructor(
    tasks: readonly SyncTask[],
    providedBy: (task: SyncTask) => string | undefined,
    neededBy: (task: SyncTask) => string,
  ) {
    this.#providedBy = providedBy;
    for (const provided of tasks.flatMap((task) => providedBy(task) ?? [])) {
      this.#first.set(provided, undefined);
    }
    for (const task of this.isEmpty ? [] : tasks) {
      const needed = neededBy(task);
      const isProvided = !isDeletion(task) && this.#first.has(needed);
      const first = isProvided ? this.#first.get(needed) : undefined;
      if (isProvided && (first === undefined || compareWaves(task, first) < 0)) {
        this.#first.set(needed, task);
      }
    }
  }

  get isEmpty(): boolean {
    return this.#first.size === 0;
  }

  /** The first that needs what a task provides. */
  firstOf(task: SyncTask): Place | undefined {
    const provided = this.#providedBy(task);
    return provided === undefined ? undefined : this.#first.get(provided);
  }
}

function movedBefore(task: SyncTask, first: Place | undefined): SyncTask {
  return first === undefined || compareWaves(task, first) <= 0
    ? task
    : { ...task, phase: first.phase, wave: first.wave };
}

function namespaceIn(task: SyncTask): string | undefined {
  const { group, kind, name } = task.key;
  return "method" in task && kind === "Namespace" && group === "" ? name : undefined;
}

function kindDefinedBy(task: SyncTask): string | undefined {
  return "method" in task ? definedKind(task.target) : undefined;
}
