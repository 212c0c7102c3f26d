import { type BackoffPolicy, backoffDelay } from "@weir/base";
import type { ApiResource, KubeObject } from "@weir/kube";
import { applyObject } from "../operations/apply.ts";
import type { Deed, OperationContext } from "../operations/context.ts";
import { createObject } from "../operations/create.ts";
import { createMissing } from "../operations/create-missing.ts";
import { deleteObject, type LiveSubject } from "../operations/delete.ts";
import { followObject, type Sighting } from "../operations/follow.ts";
import type { KindFinder } from "../operations/kinds.ts";
import { OperationError } from "../operations/operation-error.ts";
import type { Known, KnownSubject } from "../operations/races.ts";
import { checkPath, readObject } from "../operations/read.ts";
import { writeWithForce } from "../operations/recreate.ts";
import { replaceObject } from "../operations/replace.ts";
import { applyServerSide } from "../operations/server-side-apply.ts";
import { alreadyGoing } from "../plan/guards.ts";
import type { LeaveRule, LeftAlone } from "../plan/leave.ts";
import type { PropagationPolicy } from "../plan/sync-options.ts";
import type { TargetOptions } from "../plan/target-options.ts";
import type { HookTask, SyncTask, TargetTask } from "../plan/task.ts";
import { runHook } from "./hook-run.ts";
import { whyNotRecreated } from "./recreation.ts";

/** The dependencies of TaskPerformer. */
export interface PerformerOptions {
  readonly context: OperationContext;
  readonly kinds: KindFinder;
  readonly dryRun: boolean;
  /** How long to wait for an object to disappear that has to be created again. */
  readonly waitMs: number;
  /** The ID of the operation, which its hooks carry. */
  readonly operation: string;
  /** Checked again for objects that weren't known when the plan was made. */
  readonly leave: LeaveRule;
}

const backoff: BackoffPolicy = { initialMs: 200, maxMs: 5_000, factor: 2, jitter: 0.5 };

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
      case "going":
        return { change: "none", reason: alreadyGoing };
      case "prune":
        return this.#delete({ live: task.live, asKnown: true }, task.propagation, signal);
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

  /** Deletes a hook's object; if another object has its name now, that one stays. */
  deleteHook(live: KubeObject, signal: AbortSignal): Promise<Deed> {
    return this.#delete({ live }, "background", signal);
  }

  /** Yields the states of a task's object from now on. */
  async *follow(object: KubeObject, signal: AbortSignal): AsyncGenerator<Sighting, void, undefined> {
    const { context, kinds } = this.#options;
    for (let failures = 1; !signal.aborted; failures += 1) {
      const resource = await kinds.find(object, signal).catch(() => undefined);
      if (resource !== undefined) {
        yield* followObject(context, resource, object, signal);
        return;
      }
      await context.clock.sleep(backoffDelay(backoff, failures), signal).catch(() => undefined);
    }
  }

  async #delete(
    subject: Pick<LiveSubject, "live" | "asKnown">,
    propagation: PropagationPolicy,
    signal: AbortSignal,
  ): Promise<Deed> {
    const { context, kinds, dryRun } = this.#options;
    const resource = await kinds.find(subject.live, signal);
    return deleteObject(context, { ...subject, resource }, { dryRun, signal, propagation });
  }

  async #apply(task: TargetTask, signal: AbortSignal): Promise<Deed> {
    const { kinds, dryRun } = this.#options;
    const { target, validate, skipDryRunOnMissingResource } = task;
    const resource = await kinds.find(target, signal).catch((error: unknown) => {
      if (dryRun && skipDryRunOnMissingResource && isMissingKind(error)) {
        return undefined;
      }
      throw error;
    });
    if (resource === undefined) {
      return { change: "none", reason: "the server doesn't have its kind yet, so it wasn't checked" };
    }
    checkPath(resource, target, signal);
    const known = await this.#knownOf(task, resource, signal);
    const left = this.#whyLeft(task, known.live);
    if (left !== undefined) {
      return { change: "none", ...left };
    }
    const subject = { resource, target, known };
    return task.createOnly === true
      ? createMissing(this.#options.context, subject, { validate, dryRun, signal })
      : this.#write(task, subject, signal);
  }

  /** Live objects that the plan knew were judged there. */
  #whyLeft({ action, createOnly, target }: TargetTask, live: KubeObject | undefined): LeftAlone | undefined {
    return action === "apply" && createOnly !== true ? this.#options.leave(target, live) : undefined;
  }

  /** Brings an object to the cluster as its options say. */
  #write(how: TargetOptions, subject: KnownSubject, signal: AbortSignal): Promise<Deed> {
    const { context, dryRun, waitMs } = this.#options;
    const { validate, respectIgnoreDifferences, clientSideApplyMigration } = how;
    const options = { validate, dryRun, respectIgnoreDifferences, clientSideApplyMigration, signal };
    if (how.method === "server-side") {
      return applyServerSide(context, subject, options);
    }
    const write = how.method === "replace" ? replaceObject : applyObject;
    return how.force
      ? writeWithForce(context, subject, {
          ...options,
          write,
          waitMs,
          whyNot: (live) => whyNotRecreated(subject.target, live),
        })
      : write(context, subject, options);
  }

  async #knownOf(task: TargetTask, resource: ApiResource, signal: AbortSignal): Promise<Known> {
    if (task.action === "apply") {
      return { live: await readObject(this.#options.context, resource, task.target, signal), fresh: true };
    }
    return { live: task.live, fresh: false };
  }

  async #runHook(task: HookTask, signal: AbortSignal): Promise<Deed> {
    const { context, kinds, dryRun, operation } = this.#options;
    const resource = await kinds.find(task.target, signal);
    const write = (subject: KnownSubject) => this.#write(task.options, subject, signal);
    return dryRun
      ? this.#tryHook(task, resource, signal)
      : runHook(context, { resource, task, operation, write }, { dryRun, signal });
  }

  /** Tries it under a new name, so that the object of an earlier run isn't in the way. */
  #tryHook({ target, options: how }: HookTask, resource: ApiResource, signal: AbortSignal): Promise<Deed> {
    const { name = "", ...metadata } = target.metadata;
    const renamed = { ...target, metadata: { ...metadata, generateName: `${name}-` } };
    const fieldManager = "kubectl-client-side-apply";
    const options = { validate: how.validate, dryRun: true, signal, fieldManager };
    return createObject(this.#options.context, { resource, target: renamed }, options);
  }
}

function isMissingKind(error: unknown): boolean {
  return error instanceof OperationError && error.reason === "NotFound";
}
