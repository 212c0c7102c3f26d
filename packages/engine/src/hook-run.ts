import type { ApiResource, KubeObject } from "@weir/kube";
import { healthOf } from "./health/health.ts";
import { applyObject } from "./operations/apply.ts";
import type { Deed, OperationContext } from "./operations/context.ts";
import { deleteObject } from "./operations/delete.ts";
import { readObject } from "./operations/read.ts";
import type { WriteOptions } from "./operations/write.ts";
import { runOf, stampedHook } from "./sync/hooks.ts";
import type { HookTask } from "./sync/task.ts";

/** A hook to run as part of an operation. */
export interface HookSubject {
  readonly resource: ApiResource;
  readonly task: HookTask;
  /** The ID of the operation. */
  readonly operation: string;
}

/**
 * Creates a hook's object, unless this operation has already created it: then that one is returned. "deleted"
 * with the live object means that the object of an earlier run has to disappear first. Rejects with
 * OperationError.
 */
export async function runHook(
  context: OperationContext,
  { resource, task, operation }: HookSubject,
  options: WriteOptions,
): Promise<Deed> {
  const { signal } = options;
  const stamp = { operation, phase: task.phase };
  const old = await readObject(context, resource, task.target, signal);
  const fate = old === undefined ? undefined : fateOf(old, task, runOf(old, stamp));
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
  return applyObject(context, { resource, target, known: { live, fresh: true } }, options);
}

/**
 * What happens to an object that has the hook's name: it's this run, it's deleted first, or the hook is applied
 * to it. Without BeforeHookCreation, that depends on its own policy: the object of an operation that was
 * interrupted for good may still run, or was never deleted, and would block the hook.
 */
function fateOf(
  old: KubeObject,
  { deletePolicies }: HookTask,
  run: ReturnType<typeof runOf>,
): "adopt" | "delete" | "apply" {
  if (run === "this") {
    return "adopt";
  }
  if (deletePolicies.includes("BeforeHookCreation")) {
    return "delete";
  }
  const status = run === "other" ? healthOf(old)?.status : "Healthy";
  switch (run === "other" ? status : undefined) {
    case undefined:
      return "apply";
    case "Healthy":
      return deletePolicies.includes("HookSucceeded") ? "delete" : "apply";
    case "Degraded":
      return deletePolicies.includes("HookFailed") ? "delete" : "apply";
    default:
      return "delete";
  }
}
