import { type BackoffPolicy, backoffDelay, type Clock, errorCode } from "@weir/base";
import { CloudError } from "./request.ts";

/** When to repeat a request. */
export interface RetryOptions {
  readonly clock: Clock;
  /** From 0 up to 1, so that many clients don't return at the same time. */
  readonly random?: (() => number) | undefined;
}

const maxAttempts = 4;
const policy: BackoffPolicy = { initialMs: 500, maxMs: 4_000, factor: 2, jitter: 0.5 };
/** A service that asks for more time than this is asked again by whoever needs its answer, later. */
const longestWaitMs = 10_000;

/**
 * Makes up to four attempts while the failures are passing ones: throttling, an internal error, or a broken connection.
 * Settles like the last attempt. A service that doesn't respond at all isn't asked again, because that takes too long.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { clock, random }: RetryOptions,
  signal: AbortSignal,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const asked = error instanceof CloudError ? error.waitMs : 0;
      if (failures >= maxAttempts || asked > longestWaitMs || !isPassing(error)) {
        throw error;
      }
      await clock.sleep(Math.max(asked, backoffDelay(policy, failures, random)), signal);
    }
  }
}

const passingStatuses: readonly number[] = [429, 500, 502, 503, 504];
const passingCodes: readonly string[] = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "EAI_AGAIN",
  "UND_ERR_SOCKET",
];

function isPassing(error: unknown): boolean {
  return error instanceof CloudError
    ? passingStatuses.includes(error.status) || isThrottled(error)
    : passingCodes.includes(errorCode(error) ?? "");
}

/** AWS reports throttling with the status of a bad request. */
function isThrottled({ status, answer }: CloudError): boolean {
  return status === 400 && /\b(?:Throttling\w*|RequestLimitExceeded|TooManyRequestsException)\b/.test(answer);
}
