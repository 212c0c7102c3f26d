import { abortReason, type Clock, Deadline, messageOf, printDuration } from "@weir/base";
import { RegistryError } from "./errors.ts";
import { ForbiddenAddressError, OversizedBodyError } from "./http/transport.ts";
import { RateLimitError } from "./rate-limiter.ts";
import { WireError } from "./wire/parse-json.ts";

/** What all operations on one repository share while it is gone over once. */
export interface Pass {
  /** The host has said that it is too much, and the rate was cut. */
  slowedDown: boolean;
}

/** Something that a registry is asked for about an image, all requests for it together. */
export interface Operation {
  /** The repository or image, as errors name it. */
  readonly image: string;
  readonly pass: Pass;
  /** When it has to be over, in milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** What an operation starts from. */
export interface OperationOptions extends Pick<Operation, "image" | "pass" | "signal"> {
  readonly limitMs: number;
  readonly clock: Clock;
}

/**
 * Does the work within the time, however slowly the bytes drip. Rejects with RegistryError for whatever goes
 * wrong, or with the signal's reason.
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

/** As Flux v1 says it. */
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

/** A connection that failed to several addresses has an empty message, and a code. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return messageOf(error) || code || "the registry cannot be reached";
}
