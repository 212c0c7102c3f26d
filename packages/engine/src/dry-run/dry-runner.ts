import { messageOf } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import type { ResourceCache } from "../cache/resource-cache.ts";
import type { Deed, OperationContext } from "../operations/context.ts";
import { KindFinder } from "../operations/kinds.ts";
import type { LeaveRule } from "../plan/leave.ts";
import type { SyncTask } from "../plan/task.ts";
import { TaskPerformer } from "../run/performer.ts";
import { type Refusal, RefusalJudge } from "./unchecked.ts";

/** The dependencies of dry runs. */
export interface DryRunOptions {
  readonly context: OperationContext;
  readonly cache: Pick<ResourceCache, "resourceOf">;
  readonly waitMs: number;
  readonly leave: LeaveRule;
}

/** The result of the dry run of one task. */
export type DryRun = { readonly kind: "accepted"; readonly deed: Deed } | Refusal;

/** Has the server try the tasks of one plan, in any order, without storing anything. */
export class DryRunner {
  readonly #performer: TaskPerformer;
  readonly #judge: RefusalJudge;

  constructor(tasks: readonly SyncTask[], { context, cache, waitMs, leave }: DryRunOptions) {
    // No kind is waited for: the plan's definitions aren't stored.
    const kinds = new KindFinder(context, cache, []);
    this.#performer = new TaskPerformer({ context, kinds, dryRun: true, leave, waitMs, operation: "" });
    this.#judge = new RefusalJudge(tasks);
  }

  /** Tries one task. Rejects when aborted. */
  async try(task: SyncTask, signal: AbortSignal): Promise<DryRun> {
    try {
      return { kind: "accepted", deed: await this.#performer.perform(task, signal) };
    } catch (error) {
      signal.throwIfAborted();
      return this.#judge.judge(task, messageOf(error));
    }
  }

  /** Like performing the task: an object that can't be checked counts as created. Rejects if it's refused. */
  async perform(task: SyncTask, signal: AbortSignal): Promise<Deed> {
    const result = await this.try(task, signal);
    switch (result.kind) {
      case "accepted":
        return result.deed;
      case "unchecked":
        return { change: "created", reason: uncheckedReason(result.reason) };
      case "refused":
        throw new RefusedDryRunError(result.error);
    }
  }

  /** The live object with that name, read from the server. Rejects with OperationError. */
  read(object: KubeObject, signal: AbortSignal): Promise<KubeObject | undefined> {
    return this.#performer.read(object, signal);
  }
}

/** A dry run was refused, in the server's words. */
export class RefusedDryRunError extends Error {
  override readonly name = "RefusedDryRunError";
}

/** The words for a task that can't be checked. */
export function uncheckedReason(reason: string): string {
  return `not checked: ${reason}`;
}
