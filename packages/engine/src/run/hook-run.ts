import type { ApiResource } from "@weir/kube";
import { healthOf } from "../health/health.ts";
import type { Deed, OperationContext } from "../operations/context.ts";
import { deleteObject } from "../operations/delete.ts";
import type { KnownSubject } from "../operations/races.ts";
import { readObject } from "../operations/read.ts";
import type { WriteOptions } from "../operations/write.ts";
import { stampedHook } from "../plan/hooks.ts";
import type { HookTask } from "../plan/task.ts";
import { hookFateOf } from "./hook-fate.ts";

/** A hook to run as part of an operation. */
export interface HookSubject {
  readonly resource: ApiResource;
  readonly task: HookTask;
  /** The ID of the operation. */
  readonly operation: string;
  /** Writes the hook's object as its options say. */
  readonly write: (subject: KnownSubject) => Promise<Deed>;
}

/**
 * Creates a hook's object, unless this operation has already created it: then that one is returned. "deleted"
 * with the live object means that the object of an earlier run has to disappear first. Rejects with
 * OperationError.
 */
export async function runHook(
  context: OperationContext,
  { resource, task, operation, write }: HookSubject,
  options: Pick<WriteOptions, "dryRun" | "signal">,
): Promise<Deed> {
  const { signal } = options;
  const stamp = { operation, phase: task.phase };
  const old = await readObject(context, resource, task.target, signal);
  const fate = old && hookFateOf(old, task, { stamp, status: healthOf(old)?.status });
  if (old !== undefined && fate === "adopt") {
    return { change: "created", live: old };
  }
  if (old !== undefined && fate === "delete") {
    await deleteObject(context, { resource, live: old }, { ...options, propagation: "background" });
    if ((await readObject(context, resource, task.target, signal)) !== undefined) {
      return { change: "deleted", live: old };
    }
  }
  const live = fate === "apply" ? old : undefined;
  const target = stampedHook(task.target, stamp);
  return write({ resource, target, known: { live, fresh: true } });
}
