import { type BackoffPolicy, backoffDelay } from "@weir/base";
import type { ApiResource, KubeObject } from "@weir/kube";
import type { Deed, OperationContext } from "./context.ts";
import { OperationError } from "./operation-error.ts";
import { readObject } from "./read.ts";

/** How often a write that lost a race is tried again, as kubectl does. */
const maxRetries = 5;
const backoff: BackoffPolicy = { initialMs: 50, maxMs: 1_000, factor: 3, jitter: 0.5 };

/** What is known of a live object when a write is made up. */
export interface Known {
  /** Undefined where there is no such object. */
  readonly live: KubeObject | undefined;
  /** True where it has just been read; false where it is as the cache has it, which may be a moment old. */
  readonly fresh: boolean;
}

/** An object to be written, and what the server calls its kind. */
export interface Subject {
  readonly resource: ApiResource;
  readonly target: KubeObject;
}

/** An object to be written, and the live one as far as it is known. */
export interface KnownSubject extends Subject {
  /** Undefined: the live object is read first. */
  readonly known: Known | undefined;
}

/**
 * Writes an object by what is known of it, or reads it first where nothing is. Where another was faster (the
 * object has changed, appeared or gone since), or the answer got lost, it is read again and the write made up anew.
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
  for (let tries = 0; ; tries += 1) {
    try {
      return await write(current);
    } catch (error) {
      if (!isLostRace(error, current) || tries === maxRetries) {
        throw error;
      }
    }
    await context.clock.sleep(backoffDelay(backoff, tries), signal);
    current = await read();
  }
}

/** An object that is not found while it is created is another one, e.g. its namespace: that is no race. */
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
