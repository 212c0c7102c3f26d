import { abortReason, type Clock, Deadline, messageOf, printDuration } from "@weir/base";
import { ForbiddenAddressError, OversizedBodyError, WireError } from "@weir/http";
import { RegistryError } from "./errors.ts";
import { RateLimitError } from "./rate-limiter.ts";

/** State that all operations of one pass over a repository share. */
export interface Pass {
  /** True after the host rejected a request as too many, and the rate was reduced. */
  slowedDown: boolean;
}

/** Everything that's needed to read one piece of information about an image, possibly with several requests. */
export interface Operation {
  /** The repository or image, as named in errors. */
  readonly image: string;
  readonly pass: Pass;
  /** The time limit, in milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/**
 * Does the work within the time limit, even if data arrives very slowly. Rejects with RegistryError for any failure, or
 * with the signal's reason.
 */
export async function runOperation<T>(
  { image, pass, limitMs, clock, signal }: OperationOptions,
  work: (operation: Operation) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  using limit = new Deadline(clock, limitMs, signal, () => timeout(image, limitMs));
  try {
    return await work({ image, pass, deadline: clock.now() + limitMs, signal: limit.signal });
  } catch (error) {
    throw limit.signal.aborted ? abortReason(limit.signal) : toRegistryError(image, error);
  }
}

export interface OperationOptions extends Pick<Operation, "image" | "pass" | "signal"> {
  readonly limitMs: number;
  readonly clock: Clock;
}

/** Flux v1's message. */
function timeout(image: string, limitMs: number): RegistryError {
  return new RegistryError({
    image,
    failure: "timeout",
    why: `client timeout (${printDuration(limitMs)}) exceeded`,
  });
}

function toRegistryError(image: string, cause: unknown): RegistryError {
  if (cause instanceof RegistryError) {
    return cause;
  }
  if (cause instanceof RateLimitError) {
    return new RegistryError({ image, failure: "rate-limited", why: cause.message }, { cause });
  }
  const untrusted = [WireError, OversizedBodyError, ForbiddenAddressError].some(
    (kind) => cause instanceof kind,
  );
  return new RegistryError(
    { image, failure: untrusted ? "untrusted" : "unreachable", why: reasonOf(cause) },
    { cause },
  );
}

/** If connecting to several addresses failed, the error has a code but an empty message. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return messageOf(error) || code || "cannot connect to the registry";
}
