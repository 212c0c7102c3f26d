import { type BackoffPolicy, backoffDelay, Deadline, messageOf, printDuration } from "@weir/base";
import { FluxError } from "@weir/flux";
import { type ApiClient, RequestError } from "@weir/flux/client";
import type { CommandContext } from "../command.ts";
import { ForwardError } from "./forward-error.ts";

/** The time between two polls, in milliseconds. */
const pollEveryMs = 2_000;

const retries: BackoffPolicy = { initialMs: 1_000, maxMs: 15_000, factor: 2, jitter: 0.2 };

/** The request to repeat, and its callbacks. */
export interface DaemonPoll {
  /** Sends the request once; resolves to true to stop. */
  ask(client: ApiClient, signal: AbortSignal): Promise<boolean>;
  /** The daemon didn't respond; the request is retried. */
  lost(reason: string): void;
  /** The daemon responds again. */
  found(): void;
}

/**
 * Repeats a request every two seconds until it's done. Waits for a daemon that becomes unavailable, but
 * rejects if the first request finds none, like any command, or if the daemon refuses the request.
 */
export async function pollDaemon(poll: DaemonPoll, first: ApiClient, context: CommandContext): Promise<void> {
  const { clock, signal } = context;
  let client = first;
  let isDone = await pollOnce(poll, client, context);
  for (let failures = 0; !isDone; ) {
    await clock.sleep(failures === 0 ? pollEveryMs : backoffDelay(retries, failures), signal);
    try {
      // The pod behind the forwarded port may have been replaced.
      client = failures === 0 ? client : await context.connect();
      isDone = await pollOnce(poll, client, context);
      if (failures > 0) {
        poll.found();
      }
      failures = 0;
    } catch (error) {
      signal.throwIfAborted();
      if (!isOutage(error)) {
        throw error;
      }
      failures += 1;
      poll.lost(messageOf(error));
    }
  }
}

/** A response took longer than --timeout allows. */
class SlowAnswerError extends Error {
  override readonly name = "SlowAnswerError";
}

async function pollOnce(poll: DaemonPoll, client: ApiClient, context: CommandContext): Promise<boolean> {
  const timeoutMs = context.globals.timeout.value;
  using deadline = new Deadline(context.clock, timeoutMs, context.signal);
  try {
    return await poll.ask(client, deadline.signal);
  } catch (error) {
    throw deadline.expired
      ? new SlowAnswerError(`no response within ${printDuration(timeoutMs)}`, { cause: error })
      : error;
  }
}

/** True for temporary problems: no response, or a server error that isn't the user's fault. */
export function isOutage(error: unknown): boolean {
  return (
    error instanceof RequestError ||
    error instanceof SlowAnswerError ||
    (error instanceof FluxError && error.kind === "server") ||
    error instanceof ForwardError
  );
}
