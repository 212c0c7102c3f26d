import { type BackoffPolicy, backoffDelay, equalJson, isJsonObject, type JsonObject } from "@weir/base";
import { type ApiResource, isApiReason, type KubeObject, keyOf } from "@weir/kube";
import { lastAppliedAnnotation } from "../diff/last-applied.ts";
import type { PropagationPolicy } from "../plan/sync-options.ts";
import { objectIn } from "./answer.ts";
import type { Deed, OperationContext } from "./context.ts";
import { OperationError, operationError } from "./operation-error.ts";
import { pathOf, readObject } from "./read.ts";
import type { WriteOptions } from "./write.ts";

/** A live object and its resource. */
export interface LiveSubject {
  readonly resource: ApiResource;
  readonly live: KubeObject;
  /** True: the object stays if its labels, annotations, or owners have changed since. */
  readonly asKnown?: boolean;
}

/** How to delete an object. */
export interface DeleteOptions extends Omit<WriteOptions, "validate"> {
  /** What happens to the objects that it owns; kubectl's default is "background". */
  readonly propagation: PropagationPolicy;
}

const policies = { foreground: "Foreground", background: "Background", orphan: "Orphan" } as const;

/** How often a delete is tried again if it's unclear what became of it, or if the object has changed. */
const maxRetries = 5;
const backoff: BackoffPolicy = { initialMs: 50, maxMs: 1_000, factor: 3, jitter: 0.5 };

/**
 * `kubectl delete` of one live object, without waiting: finalizers, and the objects that it owns, can take
 * their time. Only the given object is deleted; if another object has the same name now, that one stays. An
 * object that is already gone counts as deleted. Rejects with OperationError.
 */
export async function deleteObject(
  context: OperationContext,
  subject: LiveSubject,
  options: DeleteOptions,
): Promise<Deed> {
  const { live } = subject;
  let current = live;
  for (let tries = 0; ; tries += 1) {
    try {
      return await sendDelete(context, { ...subject, live: current }, options);
    } catch (error) {
      if (!isDoubtful(error) || tries === maxRetries) {
        throw error;
      }
    }
    await context.clock.sleep(backoffDelay(backoff, tries), options.signal);
    const now = await readObject(context, subject.resource, live, options.signal);
    if (now === undefined) {
      return deleted(context, live, null);
    }
    const reason = whyNot(subject, now);
    if (reason !== undefined) {
      return { change: "none", reason };
    }
    current = now;
  }
}

async function sendDelete(
  context: OperationContext,
  { resource, live, asKnown = false }: LiveSubject,
  { dryRun, signal, propagation }: DeleteOptions,
): Promise<Deed> {
  const { uid, resourceVersion } = live.metadata;
  const version = asKnown && resourceVersion !== undefined ? { resourceVersion } : {};
  const body = {
    apiVersion: "v1",
    kind: "DeleteOptions",
    propagationPolicy: policies[propagation],
    ...(uid === undefined ? {} : { preconditions: { uid, ...version } }),
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
    throw operationError(error, { verb: "deleting", objects: [live], signal });
  }
}

/** True if no response arrived, or if there is another object or another version of it: reading it tells. */
function isDoubtful(error: unknown): boolean {
  return error instanceof OperationError && (error.mayBeDone || error.reason === "Conflict");
}

/** Why an object isn't deleted although it was to be; undefined if only other parts of it have changed. */
function whyNot({ live: before, asKnown = false }: LiveSubject, now: KubeObject): string | undefined {
  const { uid } = before.metadata;
  if (uid !== undefined && uid !== now.metadata.uid) {
    return "another object has the same name now";
  }
  return !asKnown || equalJson(grounds(before), grounds(now))
    ? undefined
    : "it has changed in the meantime; the next sync decides about it again";
}

/** What it depends on whether an object may be deleted; the last-applied annotation tells nothing about it. */
function grounds({ metadata }: KubeObject): JsonObject {
  const annotations = { ...metadata.annotations, [lastAppliedAnnotation]: "" };
  const owners = (metadata.ownerReferences ?? []).map(({ uid }) => uid);
  return { annotations, labels: metadata.labels ?? {}, owners };
}

/**
 * The response is a Status, or the object in its last state, or the object while it's still being deleted.
 */
function deleted({ cache }: OperationContext, live: KubeObject, answer: unknown): Deed {
  const last = isJsonObject(answer) && answer["kind"] !== "Status" ? objectIn(answer) : undefined;
  if (last?.metadata.deletionTimestamp === undefined) {
    cache.observeDeleted(keyOf(live), live.metadata.uid);
    return { change: "deleted" };
  }
  cache.observe(last);
  return { change: "deleted", live: last };
}
