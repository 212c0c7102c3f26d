import { type BackoffPolicy, backoffDelay, Deadline } from "@weir/base";
import { type ApiResource, type KubeObject, resourcePath } from "@weir/kube";
import { readWatchLine } from "@weir/kube/rest";
import type { OperationContext } from "./context.ts";
import { readObject } from "./read.ts";

/** One observation of a followed object; "gone" is the last one. */
export type Sighting = { readonly kind: "seen"; readonly object: KubeObject } | { readonly kind: "gone" };

/**
 * The server ends a watch after this time, and the object is read again, so no change is missed for longer.
 */
const watchSeconds = 60;
/** A watch that the server hasn't ended by then is given up: nothing tells a silent one from a dead one. */
const watchLimitMs = 70_000;
const backoff: BackoffPolicy = { initialMs: 200, maxMs: 5_000, factor: 2, jitter: 0.5 };

/**
 * Follows one object with its own watch, for kinds that the cache doesn't hold: yields every state until the
 * object is gone or the signal is aborted. Retries while the server is unavailable.
 */
export async function* followObject(
  context: OperationContext,
  resource: ApiResource,
  object: KubeObject,
  signal: AbortSignal,
): AsyncGenerator<Sighting, void, undefined> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      const live = await readObject(context, resource, object, signal);
      if (live === undefined) {
        yield { kind: "gone" };
        return;
      }
      yield { kind: "seen", object: live };
      for await (const sighting of watchObject(context, resource, live, signal)) {
        failures = 0;
        yield sighting;
        if (sighting.kind === "gone") {
          return;
        }
      }
    } catch {
      // Whatever the error was, a refusal or a lost connection, the object is read again while the caller
      // waits.
      failures += 1;
    }
    await context.clock.sleep(backoffDelay(backoff, failures), signal).catch(() => undefined);
  }
}

async function* watchObject(
  { client, clock }: OperationContext,
  resource: ApiResource,
  { metadata }: KubeObject,
  signal: AbortSignal,
): AsyncGenerator<Sighting, void, undefined> {
  const query = {
    watch: "1",
    fieldSelector: `metadata.name=${metadata.name ?? ""}`,
    resourceVersion: metadata.resourceVersion ?? "",
    timeoutSeconds: String(watchSeconds),
  };
  const path = resourcePath(resource, metadata.namespace ?? "");
  using limit = new Deadline(clock, watchLimitMs, signal);
  for await (const text of client.lines({ method: "GET", path, query, signal: limit.signal })) {
    const line = readWatchLine(text, resource);
    if (line.kind === "error") {
      throw line.error;
    }
    if (line.kind !== "bookmark") {
      yield { kind: "seen", object: line.object };
    }
    if (line.kind === "deleted") {
      yield { kind: "gone" };
    }
  }
}
