import { AdvisedError, printDuration } from "@weir/base";
import type { JobResult, JobState } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import { causesOfDelay } from "../advice/causes-of-delay.ts";
import type { CommandContext } from "../command.ts";
import { watchSuspension } from "./suspension-watch.ts";

/** Waits for a job to succeed. Rejects with JobFailedError or TimeoutError. */
export function awaitJob(client: ApiClient, id: string, context: CommandContext): Promise<JobResult> {
  const { signal, waitFor } = context;
  let last: JobState = "queued";
  const giveUp = (): Promise<TimeoutError> =>
    timeoutError(`job ${id}, which is ${last}`, last, client, context);
  return waitFor("fluxd to run the job", (tell) =>
    pollUntil({ rhythm: rhythmFor(jobRhythm, context), giveUp }, context, async () => {
      const { state, error, result } = await client.jobStatus(id, signal);
      if (state === "failed" || (state === "succeeded" && error !== "")) {
        throw new JobFailedError(error, result);
      }
      last = state;
      tell(`fluxd to run the job, which is ${state}`);
      return state === "succeeded" ? result : undefined;
    }),
  );
}

/**
 * Waits until all commits up to `revision` are applied. Rejects with TimeoutError, or with SyncSuspendedError.
 */
export async function awaitSync(client: ApiClient, revision: string, context: CommandContext): Promise<void> {
  const { signal, waitFor } = context;
  const what = `commit ${revision.slice(0, 7)} to be applied`;
  let missing = 0;
  const giveUp = (): Promise<TimeoutError> => syncTimeoutError({ what, missing }, client, context);
  const refuseSuspended = watchSuspension(client, context);
  await waitFor(what, (tell) =>
    pollUntil({ rhythm: rhythmFor(syncRhythm, context), giveUp }, context, async () => {
      missing = (await client.syncStatus(revision, signal)).length;
      tell(missing > 1 ? `${what}, ${missing} commits to go` : what);
      if (missing === 0) {
        return true;
      }
      await refuseSuspended();
      return undefined;
    }),
  );
}

/** A job failed; the message is the daemon's. */
export class JobFailedError extends AdvisedError {
  override readonly name = "JobFailedError";
  readonly result: JobResult;

  constructor(message: string, result: JobResult, advice: readonly string[] = []) {
    super(message, advice);
    this.result = result;
  }
}

/** Something took longer than --timeout allows; the advice says what, and the cause if it's known. */
export class TimeoutError extends AdvisedError {
  override readonly name = "TimeoutError";

  constructor(advice: readonly string[]) {
    super("timeout", advice);
  }
}

/** A sync takes too long: `what` is waited for, and `missing` commits aren't applied yet. */
export function syncTimeoutError(
  { what, missing }: { readonly what: string; readonly missing: number },
  client: ApiClient,
  context: CommandContext,
): Promise<TimeoutError> {
  return timeoutError(`${what}; ${missing} commit(s) are not applied yet`, "sync", client, context);
}

/** Asks the daemon for the cause only on a terminal: a script gets the same timeout error as in Flux v1. */
async function timeoutError(
  what: string,
  state: JobState | "sync",
  client: ApiClient,
  context: CommandContext,
): Promise<TimeoutError> {
  if (context.errScreen === undefined) {
    return new TimeoutError([]);
  }
  const waited = `Waited ${printDuration(context.globals.timeout.value)} for ${what}.`;
  return new TimeoutError([waited, ...(await causesOfDelay(client, state, context))]);
}

/** Polls until there is a result; gives up if the next poll would be too late. */
export async function pollUntil<T>(
  {
    rhythm: { firstMs, longestMs },
    giveUp,
  }: { readonly rhythm: Rhythm; readonly giveUp: () => Promise<TimeoutError> },
  { clock, signal, globals }: CommandContext,
  look: () => Promise<T | undefined>,
): Promise<T> {
  const finish = clock.now() + globals.timeout.value;
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
  throw await giveUp();
}

/** Delays between polls: they double from the first to the longest. */
export interface Rhythm {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Flux v1 starts with 100 ms and 1 s; polling sooner costs little, and most jobs and syncs finish quickly.
 */
const jobRhythm: Rhythm = { firstMs: 25, longestMs: 5_000 };
export const syncRhythm: Rhythm = { firstMs: 25, longestMs: 10_000 };

/** Somebody at a terminal learns within a second what fluxd knows; scripts have time. */
const longestForPerson = 500;

/** The rhythm for whoever waits. */
export function rhythmFor({ firstMs, longestMs }: Rhythm, { errScreen }: CommandContext): Rhythm {
  return { firstMs, longestMs: errScreen === undefined ? longestMs : Math.min(longestMs, longestForPerson) };
}
