import type { ApiClient } from "../../src/api/client/client.ts";
import { RequestError } from "../../src/api/client/errors.ts";
import { type BackoffPolicy, backoffDelay } from "../../src/base/backoff.ts";
import { Deadline } from "../../src/base/deadline.ts";
import { printDuration } from "../../src/base/duration.ts";
import { FluxError, messageOf } from "../../src/base/errors.ts";
import type { CommandContext } from "./command.ts";

/** Time between two looks, in milliseconds. */
const lookEvery = 2_000;

const retries: BackoffPolicy = { initialMs: 1_000, maxMs: 15_000, factor: 2, jitter: 0.2 };

/** Something that is looked at again and again. */
export interface Lookout {
  /** Looks once; true where there is nothing more to be seen. */
  look(client: ApiClient, signal: AbortSignal): Promise<boolean>;
  /** The daemon could not be asked, and why; it is tried again. */
  lost(reason: string): void;
  /** The daemon answers again. */
  found(): void;
}

/**
 * Looks every two seconds until there is nothing more to be seen. A daemon that goes away is waited for; only where the
 * first look finds none it rejects, as any command does. It also rejects where the daemon refuses to answer.
 */
export async function keepLooking(
  lookout: Lookout,
  first: ApiClient,
  context: CommandContext,
): Promise<void> {
  const { clock, signal } = context;
  let client = first;
  let isDone = await lookOnce(lookout, client, context);
  for (let failures = 0; !isDone; ) {
    await clock.sleep(failures === 0 ? lookEvery : backoffDelay(retries, failures), signal);
    try {
      // The pod behind a forwarded port may be another one by now.
      client = failures === 0 ? client : await context.connect();
      isDone = await lookOnce(lookout, client, context);
      if (failures > 0) {
        lookout.found();
      }
      failures = 0;
    } catch (error) {
      signal.throwIfAborted();
      if (!isOutage(error)) {
        throw error;
      }
      failures += 1;
      lookout.lost(messageOf(error));
    }
  }
}

/** A look took longer than --timeout allows. */
class SlowAnswerError extends Error {
  override readonly name = "SlowAnswerError";
}

async function lookOnce(lookout: Lookout, client: ApiClient, context: CommandContext): Promise<boolean> {
  const timeoutMs = context.globals.timeout.value;
  using deadline = new Deadline(context.clock, timeoutMs, context.signal);
  try {
    return await lookout.look(client, deadline.signal);
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
    // Loaded on demand, with classes of its own.
    (error instanceof Error && error.name === "ForwardError")
  );
}
