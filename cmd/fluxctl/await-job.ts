import type { ApiClient } from "../../src/api/client/client.ts";
import type { JobResult } from "../../src/api/types/api-server.ts";
import type { Clock } from "../../src/base/clock.ts";

/** A job failed; the message is what the daemon says of it. */
export class JobFailedError extends Error {
  override readonly name = "JobFailedError";
  readonly result: JobResult;

  constructor(message: string, result: JobResult) {
    super(message);
    this.result = result;
  }
}

/** Something took longer than --timeout allows. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";

  constructor() {
    super("timeout");
  }
}

/** How to wait. */
export interface Patience {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Delays between looks: they double from the first to the longest. */
interface Rhythm {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Flux v1 begins with 100 ms and 1 s; to look sooner costs little and most jobs and syncs end at once. */
const jobRhythm: Rhythm = { firstMs: 25, longestMs: 5_000 };
const syncRhythm: Rhythm = { firstMs: 25, longestMs: 10_000 };

/** Waits for a job to end well. Rejects with JobFailedError or TimeoutError. */
export function awaitJob(client: ApiClient, id: string, patience: Patience): Promise<JobResult> {
  return poll(jobRhythm, patience, async () => {
    const { state, error, result } = await client.jobStatus(id, patience.signal);
    if (state === "failed" || (state === "succeeded" && error !== "")) {
      throw new JobFailedError(error, result);
    }
    return state === "succeeded" ? result : undefined;
  });
}

/** Waits until all commits up to `revision` are applied. Rejects with TimeoutError. */
export async function awaitSync(client: ApiClient, revision: string, patience: Patience): Promise<void> {
  await poll(syncRhythm, patience, async () => {
    const missing = await client.syncStatus(revision, patience.signal);
    return missing.length === 0 ? true : undefined;
  });
}

/** Looks until there is something; gives up when the next look would come too late. */
async function poll<T>(
  { firstMs, longestMs }: Rhythm,
  { clock, timeoutMs, signal }: Patience,
  look: () => Promise<T | undefined>,
): Promise<T> {
  const finish = clock.now() + timeoutMs;
  for (let delay = firstMs; clock.now() < finish; delay = Math.min(2 * delay, longestMs)) {
    const found = await look();
    if (found !== undefined) {
      return found;
    }
    if (clock.now() + delay > finish) {
      break;
    }
    await clock.sleep(delay, signal);
  }
  throw new TimeoutError();
}
