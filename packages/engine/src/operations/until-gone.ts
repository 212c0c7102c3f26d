import { Deadline } from "@weir/base";
import type { ApiResource, KubeObject } from "@weir/kube";
import { printFinalizers } from "../health/deletion.ts";
import type { OperationContext } from "./context.ts";
import { followObject } from "./follow.ts";
import { OperationError } from "./operation-error.ts";

/** What to wait for, and how long. */
export interface GoneOptions {
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** How the object is called in the error, e.g. "the object". */
  readonly what: string;
}

/**
 * Waits until a deleted object is gone; another object may have its name by then. Rejects with OperationError
 * when the time is up, naming the finalizers that the object waits for.
 */
export async function untilGone(
  context: OperationContext,
  { resource, live }: { readonly resource: ApiResource; readonly live: KubeObject },
  { waitMs, signal, what }: GoneOptions,
): Promise<void> {
  let last = live;
  using limit = new Deadline(context.clock, waitMs, signal);
  for await (const sighting of followObject(context, resource, live, limit.signal)) {
    if (sighting.kind === "gone" || sighting.object.metadata.uid !== live.metadata.uid) {
      return;
    }
    last = sighting.object;
  }
  signal.throwIfAborted();
  const why = printFinalizers(last);
  throw new OperationError(
    `${what} was not gone within ${waitMs / 1000} s after its deletion${why === "" ? "" : `: ${why}`}`,
    "",
  );
}
