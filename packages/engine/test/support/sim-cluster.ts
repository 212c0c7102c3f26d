import type { KubeObject, ObjectMeta } from "@weir/kube";
import { type Health, health } from "../../src/health/health-status.ts";
import type { Deed } from "../../src/operations/context.ts";
import { stampedHook } from "../../src/plan/hooks.ts";
import type { HookTask, SyncTask } from "../../src/plan/task.ts";
import { hookFateOf } from "../../src/run/hook-fate.ts";
import type { PlanRun } from "../../src/run/run.ts";

/** How an object behaves. Times are in ticks. */
export interface Behaviour {
  readonly end: "succeeds" | "fails" | "hangs" | "is refused";
  /** How long it takes to that end. */
  readonly takes: number;
  /** How long its deletion takes. */
  readonly goes: number;
}

/** A live object, and its future. */
interface Live {
  readonly uid: string;
  readonly metadata: ObjectMeta;
  readonly readyAt: number;
  goneAt: number | undefined;
}

/** A cluster with hooks, targets, and orphans that behave as the test says. It outlives every process. */
export class SimCluster {
  now = 0;
  /** The hooks that were created, and everything else that was tried, in order. */
  readonly done: SyncTask[] = [];
  readonly #behaviours: ReadonlyMap<string, Behaviour>;
  readonly #hooks = new Map<string, Live>();
  readonly #applied = new Map<string, number>();
  readonly #pruned = new Set<string>();
  #uids = 0;

  constructor(behaviours: ReadonlyMap<string, Behaviour>, leftovers: readonly string[]) {
    this.#behaviours = behaviours;
    for (const name of leftovers) {
      this.#createHook(name, {});
    }
  }

  tick(ms: number): void {
    this.now += ms;
  }

  isApplied({ metadata }: KubeObject): boolean {
    return this.#applied.has(metadata.name ?? "");
  }

  isPruned({ metadata }: KubeObject): boolean {
    return this.#pruned.has(metadata.name ?? "");
  }

  /** Like TaskPerformer and runHook. */
  perform(task: SyncTask, operation: string): Deed {
    const { name } = task.key;
    const isRefused = this.#behaviourOf(name).end === "is refused";
    if (task.action === "hook") {
      return this.#runHook(task, operation, isRefused);
    }
    this.done.push(task);
    if (isRefused) {
      throw new Error("refused");
    }
    if (task.action === "prune") {
      this.#pruned.add(name);
      return { change: "deleted" };
    }
    this.#applied.set(name, this.now + this.#behaviourOf(name).takes);
    return { change: "created" };
  }

  /** Like LiveHealth: a hook that is waited for has a UID, and one that is being deleted hasn't. */
  healthOf(task: SyncTask, uid: string | undefined): Health | undefined {
    const { name } = task.key;
    if (task.action !== "hook") {
      const readyAt = this.#applied.get(name);
      return readyAt === undefined ? health("Missing") : this.#healthAt(name, readyAt);
    }
    const live = this.#hook(name);
    if (live === undefined || (uid !== undefined && live.uid !== uid)) {
      return health("Missing", "someone else deleted it");
    }
    return uid === undefined ? health("Progressing") : this.#healthAt(name, live.readyAt);
  }

  /** Deletes a finished hook if its policy says so. */
  clear(task: HookTask, { outcomes, deeds }: Pick<PlanRun, "outcomes" | "deeds">): void {
    const policy = outcomes.get(task.id)?.kind === "settled" ? "HookSucceeded" : "HookFailed";
    const live = this.#hook(task.key.name);
    if (live?.uid === deeds.get(task.id)?.live?.metadata.uid && task.deletePolicies.includes(policy)) {
      this.#delete(task.key.name);
    }
  }

  #runHook(task: HookTask, operation: string, isRefused: boolean): Deed {
    const { name } = task.key;
    const stamp = { operation, phase: task.phase };
    const old = this.#hook(name);
    const object = old && { ...task.target, metadata: { ...old.metadata, name, uid: old.uid } };
    const status = old && this.#healthAt(name, old.readyAt).status;
    const fate = object && hookFateOf(object, task, { stamp, status });
    if (object !== undefined && fate === "adopt") {
      return { change: "created", live: object };
    }
    if (object !== undefined && fate === "delete") {
      this.#delete(name);
      if (this.#hook(name) !== undefined) {
        return { change: "deleted", live: object };
      }
    }
    if (isRefused) {
      throw new Error("refused");
    }
    this.done.push(task);
    const { metadata } = stampedHook(task.target, stamp);
    const live = this.#createHook(name, metadata);
    return { change: "created", live: { ...task.target, metadata: { ...metadata, uid: live.uid } } };
  }

  #createHook(name: string, metadata: ObjectMeta): Live {
    this.#uids += 1;
    const readyAt = this.now + this.#behaviourOf(name).takes;
    const live = { uid: `uid-${this.#uids}`, metadata, readyAt, goneAt: undefined };
    this.#hooks.set(name, live);
    return live;
  }

  #hook(name: string): Live | undefined {
    const live = this.#hooks.get(name);
    return live?.goneAt !== undefined && live.goneAt <= this.now ? undefined : live;
  }

  #delete(name: string): void {
    const live = this.#hooks.get(name);
    if (live !== undefined) {
      live.goneAt ??= this.now + this.#behaviourOf(name).goes;
    }
  }

  #healthAt(name: string, readyAt: number): Health {
    const { end } = this.#behaviourOf(name);
    if (end === "hangs" || this.now < readyAt) {
      return health("Progressing");
    }
    return health(end === "fails" ? "Degraded" : "Healthy");
  }

  #behaviourOf(name: string): Behaviour {
    return this.#behaviours.get(name) ?? { end: "succeeds", takes: 0, goes: 0 };
  }
}
