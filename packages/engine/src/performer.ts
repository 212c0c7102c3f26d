import { Deadline } from "@weir/base";
import type { ApiResource, KubeObject } from "@weir/kube";
import { applyObject } from "./operations/apply.ts";
import type { Deed, OperationContext } from "./operations/context.ts";
import { deleteObject } from "./operations/delete.ts";
import { followObject, type Sighting } from "./operations/follow.ts";
import type { KindFinder } from "./operations/kinds.ts";
import { OperationError } from "./operations/operation-error.ts";
import type { Known, Subject } from "./operations/races.ts";
import { checkPath, readObject } from "./operations/read.ts";
import { replaceObject } from "./operations/replace.ts";
import { applyServerSide } from "./operations/server-side-apply.ts";
import type { WriteOptions } from "./operations/write.ts";
import type { LeaveGuard } from "./sync/plan.ts";
import type { HookTask, SyncTask, TargetTask } from "./sync/task.ts";

/** The dependencies of TaskPerformer. */
export interface PerformerOptions {
  readonly context: OperationContext;
  readonly kinds: KindFinder;
  readonly dryRun: boolean;
  /** How long to wait for the previous object of a hook to disappear. */
  readonly waitMs: number;
  /** Checked again for objects that weren't known when the plan was made. */
  readonly leave: LeaveGuard | undefined;
}

/** Performs single tasks: maps each task to its operation. */
export class TaskPerformer {
  readonly #options: PerformerOptions;

  constructor(options: PerformerOptions) {
    this.#options = options;
  }

  /** Rejects with OperationError. */
  async perform(task: SyncTask, signal: AbortSignal): Promise<Deed> {
    switch (task.action) {
      case "unchanged":
        return { change: "unchanged", ...(task.live === undefined ? {} : { live: task.live }) };
      case "prune":
        return this.#delete(task.live, signal);
      case "hook":
        return this.#runHook(task, signal);
      case "create":
      case "patch":
      case "apply":
        return this.#apply(task, signal);
    }
  }

  /** The live object with that name, read from the server. Rejects with OperationError. */
  async read(object: KubeObject, signal: AbortSignal): Promise<KubeObject | undefined> {
    const { context, kinds } = this.#options;
    return readObject(context, await kinds.find(object, signal), object, signal);
  }

  /** Deletes the object of a finished hook. */
  deleteHook({ target }: HookTask, live: KubeObject | undefined, signal: AbortSignal): Promise<Deed> {
    return this.#delete(live ?? target, signal);
  }

  /** Yields the states of a task's object from now on. */
  async *follow(object: KubeObject, signal: AbortSignal): AsyncGenerator<Sighting, void, undefined> {
    const { context, kinds } = this.#options;
    yield* followObject(context, await kinds.find(object, signal), object, signal);
  }

  async #delete(live: KubeObject, signal: AbortSignal): Promise<Deed> {
    const { context, kinds, dryRun } = this.#options;
    return deleteObject(context, { resource: await kinds.find(live, signal), live }, { dryRun, signal });
  }

  async #apply(task: TargetTask, signal: AbortSignal): Promise<Deed> {
    const { context, kinds, dryRun } = this.#options;
    const { target, validate } = task;
    const subject = { resource: await kinds.find(target, signal), target };
    checkPath(subject.resource, target, signal);
    const known = await this.#knownOf(task, subject.resource, signal);
    const reason = task.action === "apply" ? this.#options.leave?.(target, known.live) : undefined;
    if (reason !== undefined) {
      return { change: "none", reason };
    }
    const options = { validate, dryRun, signal };
    switch (task.method) {
      case "client-side":
        return applyObject(context, { ...subject, known }, options);
      case "server-side":
        return applyServerSide(context, { ...subject, known }, options);
      case "replace":
        return replaceObject(context, { ...subject, known }, options);
    }
  }

  async #knownOf(task: TargetTask, resource: ApiResource, signal: AbortSignal): Promise<Known> {
    if (task.action === "apply") {
      return { live: await readObject(this.#options.context, resource, task.target, signal), fresh: true };
    }
    return { live: task.live, fresh: false };
  }

  async #runHook(task: HookTask, signal: AbortSignal): Promise<Deed> {
    const { context, kinds, dryRun } = this.#options;
    const subject = { resource: await kinds.find(task.target, signal), target: task.target };
    const old = await readObject(context, subject.resource, task.target, signal);
    const options: WriteOptions = { validate: true, dryRun, signal };
    if (old === undefined || !task.deletePolicies.includes("BeforeHookCreation")) {
      return applyObject(context, { ...subject, known: { live: old, fresh: true } }, options);
    }
    await deleteObject(context, { resource: subject.resource, live: old }, { dryRun, signal });
    await this.#untilGone(subject, old, signal);
    return applyObject(context, { ...subject, known: { live: undefined, fresh: true } }, options);
  }

  async #untilGone({ resource, target }: Subject, old: KubeObject, signal: AbortSignal): Promise<void> {
    const { context, waitMs } = this.#options;
    using limit = new Deadline(context.clock, waitMs, signal);
    for await (const sighting of followObject(context, resource, target, limit.signal)) {
      if (sighting.kind === "gone" || sighting.object.metadata.uid !== old.metadata.uid) {
        return;
      }
    }
    signal.throwIfAborted();
    throw new OperationError(
      `the hook object of the previous run was not deleted within ${waitMs / 1000} s`,
      "",
    );
  }
}
