import { type BackoffPolicy, backoffDelay, Deadline, messageOf, printDuration } from "@weir/base";
import type { ApiClient } from "../../src/api/client/client.ts";
import { RequestError } from "../../src/api/client/errors.ts";
import { FluxError } from "../../src/errors/flux-error.ts";
import type { CommandContext } from "./command.ts";
import { ForwardError } from "./forward-error.ts";

/** Time between two polls, in milliseconds. */
const pollEveryMs = 2_000;

const retries: BackoffPolicy = { initialMs: 1_000, maxMs: 15_000, factor: 2, jitter: 0.2 };

/** What to ask the daemon again and again, and whom to tell how it goes. */
export interface DaemonPoll {
  /** Asks once; resolves to true when there is nothing more to ask. */
  ask(client: ApiClient, signal: AbortSignal): Promise<boolean>;
  /** The daemon did not answer; it is asked again. */
  lost(reason: string): void;
  /** The daemon answers again. */
  found(): void;
}

/**
 * Asks the daemon every two seconds until there is nothing more to ask. Waits for a daemon that goes away, but rejects
 * when the first request finds none, as any command does, and when the daemon refuses to answer.
 */
export async function pollDaemon(poll: DaemonPoll, first: ApiClient, context: CommandContext): Promise<void> {
  const { clock, signal } = context;
  let client = first;
  let isDone = await pollOnce(poll, client, context);
  for (let failures = 0; !isDone; ) {
    await clock.sleep(failures === 0 ? pollEveryMs : backoffDelay(retries, failures), signal);
    try {
      // The pod behind a forwarded port may be another one by now.
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

/** An answer took longer than --timeout allows. */
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
      ? new SlowAnswerError(`no answer in ${printDuration(timeoutMs)}`, { cause: error })
      : error;
  }
}

/** What passes by itself: no answer, or one that is nobody's fault but the server's. */
function isOutage(error: unknown): boolean {
  return (
    error instanceof RequestError ||
    error instanceof SlowAnswerError ||
    (error instanceof FluxError && error.kind === "server") ||
    error instanceof ForwardError
  );
}
