import { AdvisedError } from "@weir/base";
import type { ResourceError } from "@weir/flux";
import type { LastSyncReport } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import type { CommandContext } from "../command.ts";
import { pollUntil, rhythmFor, syncRhythm, syncTimeoutError } from "./await-job.ts";
import { watchSuspension } from "./suspension-watch.ts";
import {
  type AwaitedSync,
  adviceOnFailedSync,
  describeFailure,
  hasFailed,
  judgeSync,
  resourceErrorLines,
  type SyncVerdict,
} from "./sync-verdict.ts";

/** The end of a sync that anybody waits for. */
export type EndedSync = Exclude<SyncVerdict, { readonly kind: "waiting" }>;

/**
 * Waits until a sync has ended, well or not. Flux v1 tells only when it has applied a commit, and which workloads it
 * couldn't apply. Rejects with TimeoutError, or with SyncSuspendedError.
 */
export async function awaitOutcome(
  awaited: AwaitedSync,
  client: ApiClient,
  context: CommandContext,
): Promise<EndedSync> {
  const { signal, waitFor } = context;
  const short = awaited.revision.slice(0, 7);
  const what = `commit ${short} to be applied`;
  let missing = 0;
  const giveUp = () => syncTimeoutError({ what, missing }, client, context);
  const refuseSuspended = watchSuspension(client, context);
  return waitFor(what, (tell) =>
    pollUntil({ rhythm: rhythmFor(syncRhythm, context), giveUp }, context, async () => {
      // In this order: a sync that has applied the commit says how it ended as soon as it isn't running anymore.
      missing = (await client.syncStatus(short, signal)).length;
      const last = await lastSync(client, context);
      if (last === undefined) {
        return missing === 0 ? endedByFlux(client, context) : undefined;
      }
      tell(describeWait(what, missing, last));
      const verdict = judgeSync(awaited, missing, last);
      if (verdict.kind !== "waiting") {
        return verdict;
      }
      await refuseSuspended();
      return undefined;
    }),
  );
}

/** When the last sync ended, if it failed: a sync that's requested now repeats it. */
export async function failedBefore(client: ApiClient, context: CommandContext): Promise<Date | undefined> {
  const last = await lastSync(client, context);
  return last !== undefined && hasFailed(last) ? last.endedAt : undefined;
}

/** A sync has ended, but not everything in git is applied. */
export class SyncFailedError extends AdvisedError {
  override readonly name = "SyncFailedError";

  constructor(failure: string, errors: readonly ResourceError[]) {
    super(describeFailure(failure, errors), [adviceOnFailedSync(failure)]);
  }
}

/** Prints the resources that couldn't be applied. */
export function tellErrors(errors: readonly ResourceError[], { err }: CommandContext): void {
  resourceErrorLines(errors).forEach((line) => err(`${line}\n`));
}

function describeWait(what: string, missing: number, { waitingFor }: LastSyncReport): string {
  if (waitingFor.length > 0) {
    return `${what}, which waits for ${waitingFor.join(", ")}`;
  }
  return missing > 1 ? `${what}, ${missing} commits to go` : what;
}

/** Undefined if the daemon can't say, such as Flux v1. */
async function lastSync(client: ApiClient, { signal }: CommandContext): Promise<LastSyncReport | undefined> {
  const last = await client.lastSync(signal).catch(() => undefined);
  signal.throwIfAborted();
  return last;
}

async function endedByFlux(client: ApiClient, { signal }: CommandContext): Promise<EndedSync> {
  const workloads = await client.listWorkloads({ namespace: "", workloads: [] }, signal).catch(() => []);
  signal.throwIfAborted();
  const errors = workloads
    .filter(({ syncError }) => syncError !== "")
    .map(({ id, syncError }) => ({ id, source: "", error: syncError }));
  return errors.length === 0 ? { kind: "applied" } : { kind: "failed", failure: "", errors };
}
