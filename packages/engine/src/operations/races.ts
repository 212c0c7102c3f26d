import { type BackoffPolicy, backoffDelay } from "@weir/base";
import type { ApiResource, KubeObject } from "@weir/kube";
import type { Deed, OperationContext } from "./context.ts";
import { OperationError } from "./operation-error.ts";
import { readObject } from "./read.ts";

/** How often a write that lost a race is retried; same as kubectl. */
const maxRetries = 5;
const backoff: BackoffPolicy = { initialMs: 50, maxMs: 1_000, factor: 3, jitter: 0.5 };

/** What is known about a live object when a write is prepared. */
export interface Known {
  /** Undefined if the object doesn't exist. */
  readonly live: KubeObject | undefined;
  /** True if it was just read; false if it comes from the cache, which may be slightly out of date. */
  readonly fresh: boolean;
}

/** An object to write, and its resource. */
export interface Subject {
  readonly resource: ApiResource;
  readonly target: KubeObject;
}

/** An object to write, and the live object if it's known. */
export interface KnownSubject extends Subject {
  /** Undefined: the live object is read first. */
  readonly known: Known | undefined;
}

/**
 * Writes an object based on its known state, or reads it first if it's unknown. If someone else was faster
 * (the object has since changed, appeared, or disappeared), or no response arrived, it's read again and the
 * write is prepared again.
 */
export async function withoutRaces(
  context: OperationContext,
  { resource, target, known }: KnownSubject,
  write: (known: Known) => Promise<Deed>,
  signal: AbortSignal,
): Promise<Deed> {
  async function read(): Promise<Known> {
    return { live: await readObject(context, resource, target, signal), fresh: true };
  }
  let current = known ?? (await read());
  let unanswered: Known | undefined;
  for (let tries = 0; ; tries += 1) {
    try {
      return withUnanswered(unanswered, await write(current));
    } catch (error) {
      if (error instanceof OperationError && error.mayBeDone) {
        unanswered ??= current;
      }
      if (!isLostRace(error, current) || tries === maxRetries) {
        throw error;
      }
    }
    await context.clock.sleep(backoffDelay(backoff, tries), signal);
    current = await read();
  }
}

/**
 * If nothing is left to do after a write that got no response, that write was done; `before` is what it was prepared
 * for.
 */
function withUnanswered(before: Known | undefined, deed: Deed): Deed {
  if (before === undefined || deed.change !== "unchanged") {
    return deed;
  }
  if (before.live === undefined) {
    return { ...deed, change: "created" };
  }
  const isSame = deed.live?.metadata.resourceVersion === before.live.metadata.resourceVersion;
  return isSame ? deed : { ...deed, change: "configured" };
}

/** A "not found" during creation concerns another object, such as the namespace, so it isn't a race. */
function isLostRace(error: unknown, { live }: Known): boolean {
  if (!(error instanceof OperationError)) {
    return false;
  }
  if (error.mayBeDone) {
    return true;
  }
  return live === undefined
    ? ["AlreadyExists", "Conflict"].includes(error.reason)
    : ["Conflict", "NotFound"].includes(error.reason);
}
