import type { Deed } from "../operations/context.ts";
import { type SyncPlan, tasksOf } from "../plan/plan.ts";
import type { HookTask, SyncTask } from "../plan/task.ts";
import {
  hookApplied,
  hookSettled,
  hooksStarted,
  type OperationRecord,
  outcomesOf,
  taskFailed,
} from "./operation-record.ts";
import type { Outcomes, SettledTask, TaskOutcome } from "./outcome.ts";

/** What has come of the tasks of a running plan, and the part of it that must survive a restart. */
export class Progress {
  readonly #outcomes: Map<string, TaskOutcome>;
  readonly #deeds = new Map<string, Deed>();
  #record: OperationRecord | undefined;
  /** Hooks that have finished and that nobody has cleared yet. */
  #finished: readonly HookTask[] = [];

  /** Starts with what the record knows; undefined: nothing needs to be recorded. */
  constructor(plan: SyncPlan, record: OperationRecord | undefined) {
    this.#record = record;
    this.#outcomes = record === undefined ? new Map<string, TaskOutcome>() : outcomesOf(record);
    for (const task of tasksOf(plan)) {
      const uid = record?.tasks[task.id]?.uid;
      if (task.action === "hook" && uid !== undefined) {
        const metadata = { ...task.target.metadata, uid };
        this.#deeds.set(task.id, { change: "created", live: { ...task.target, metadata } });
        this.#addIfFinished(task);
      }
    }
  }

  get outcomes(): Outcomes {
    return this.#outcomes;
  }

  get deeds(): ReadonlyMap<string, Deed> {
    return this.#deeds;
  }

  get record(): OperationRecord | undefined {
    return this.#record;
  }

  /** Tasks are about to be performed. */
  begin(tasks: readonly SyncTask[], at: number): void {
    const hooks = tasks.filter(({ action }) => action === "hook").map(({ id }) => id);
    this.#note((record) => hooksStarted(record, hooks, at));
  }

  /** A task was performed; "deleted" for a hook means that it has to be performed again. */
  performed(task: SyncTask, deed: Deed, at: number): void {
    const { id } = task;
    if (task.action === "hook" && deed.change === "deleted") {
      const before = this.#outcomes.get(id);
      this.#outcomes.set(id, before?.kind === "clearing" ? before : { kind: "clearing", at });
      return;
    }
    this.#deeds.set(id, deed);
    this.#outcomes.set(id, { kind: "applied", at });
    if (task.action === "hook") {
      this.#note((record) => hookApplied(record, id, { uid: deed.live?.metadata.uid, at }));
    }
  }

  /** A task has its final outcome. */
  settle([task, outcome]: SettledTask): void {
    const isHook = task.action === "hook";
    this.#outcomes.set(task.id, outcome);
    if (outcome.kind === "failed") {
      const { error, at } = outcome;
      this.#note((record) => taskFailed(record, task.id, { error, isHook, at }));
    } else if (isHook) {
      this.#note((record) => hookSettled(record, task.id, outcome.at));
    }
    if (isHook) {
      this.#addIfFinished(task);
    }
  }

  /** The clock shows `now`: if it went backward, no wait becomes longer by that. */
  clampTo(now: number): void {
    for (const [id, outcome] of this.#outcomes) {
      if (outcome.at > now) {
        this.#outcomes.set(id, { ...outcome, at: now });
      }
    }
  }

  /** The hooks that have finished since the last call, with their outcomes. */
  takeFinished(): readonly HookTask[] {
    const finished = this.#finished;
    this.#finished = [];
    return finished;
  }

  #addIfFinished(task: HookTask): void {
    const kind = this.#outcomes.get(task.id)?.kind;
    if (kind === "settled" || kind === "failed") {
      this.#finished = [...this.#finished, task];
    }
  }

  #note(change: (record: OperationRecord) => OperationRecord): void {
    this.#record = this.#record === undefined ? undefined : change(this.#record);
  }
}
