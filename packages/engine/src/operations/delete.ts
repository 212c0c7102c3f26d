import { isJsonObject } from "@weir/base";
import { type ApiResource, isApiReason, type KubeObject, keyOf } from "@weir/kube";
import type { PropagationPolicy } from "../sync/sync-options.ts";
import { objectIn } from "./answer.ts";
import type { Deed, OperationContext } from "./context.ts";
import { OperationError, operationError } from "./operation-error.ts";
import { pathOf, readObject } from "./read.ts";
import type { WriteOptions } from "./write.ts";

/** A live object and its resource. */
export interface LiveSubject {
  readonly resource: ApiResource;
  readonly live: KubeObject;
}

/** How to delete an object. */
export interface DeleteOptions extends Omit<WriteOptions, "validate"> {
  /** What happens to the objects that it owns; kubectl's default is "background". */
  readonly propagation: PropagationPolicy;
}

const policies = { foreground: "Foreground", background: "Background", orphan: "Orphan" } as const;

/**
 * `kubectl delete` of one live object, without waiting: finalizers, and the objects that it owns, can take
 * their time. Only the given object is deleted; if another object has the same name now
 * since, that one stays. An object that is already gone counts as deleted. Rejects with OperationError.
 */
export async function deleteObject(
  context: OperationContext,
  { resource, live }: LiveSubject,
  { dryRun, signal, propagation }: DeleteOptions,
): Promise<Deed> {
  const { uid } = live.metadata;
  const body = {
    apiVersion: "v1",
    kind: "DeleteOptions",
    propagationPolicy: policies[propagation],
    ...(uid === undefined ? {} : { preconditions: { uid } }),
    ...(dryRun ? { dryRun: ["All"] } : {}),
  };
  try {
    const answer = await context.client.json({
      method: "DELETE",
      path: pathOf(resource, live),
      body,
      signal,
    });
    return dryRun ? { change: "deleted" } : deleted(context, live, answer);
  } catch (error) {
    if (isApiReason(error, "NotFound")) {
      return deleted(context, live, null);
    }
    const failure = operationError(error, { verb: "deleting", objects: [live], signal });
    if (!(failure instanceof OperationError) || !(failure.mayBeDone || failure.reason === "Conflict")) {
      throw failure;
    }
    return afterDoubt(context, { resource, live }, failure, signal);
  }
}

/**
 * No response arrived, or there is a conflict, which concerns the uid if another object now has the name:
 * reading the object tells which.
 */
async function afterDoubt(
  context: OperationContext,
  { resource, live }: LiveSubject,
  failure: OperationError,
  signal: AbortSignal,
): Promise<Deed> {
  const now = await readObject(context, resource, live, signal);
  if (now === undefined) {
    return deleted(context, live, null);
  }
  if (now.metadata.uid !== live.metadata.uid) {
    return { change: "none", reason: "another object has the same name now" };
  }
  throw failure;
}

/**
 * The response is a Status, or the object in its last state, or the object while it's still being deleted.
 */
function deleted({ cache }: OperationContext, live: KubeObject, answer: unknown): Deed {
  const last = isJsonObject(answer) && answer["kind"] !== "Status" ? objectIn(answer) : undefined;
  if (last?.metadata.deletionTimestamp === undefined) {
    cache.observeDeleted(keyOf(live));
    return { change: "deleted" };
  }
  cache.observe(last);
  return { change: "deleted", live: last };
}
