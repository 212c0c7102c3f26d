import type { JobResult } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import type { CommandContext } from "../command.ts";
import { printResult } from "../output/result.ts";
import { awaitJob, awaitSync, TimeoutError } from "./await-job.ts";
import { awaitOutcome, type EndedSync, tellErrors } from "./await-outcome.ts";
import { refuseSuspended, SyncSuspendedError } from "./suspension-watch.ts";
import { adviceOnFailedSync, describeFailure } from "./sync-verdict.ts";

const jobTimedOut = `
We timed out waiting for the result of the operation. This does not
necessarily mean it has failed. You can check the state of the
cluster, or commit logs, to see if there was a result. In general, it
is safe to retry operations.
`;

const syncTimedOut = `
The operation succeeded, but we timed out waiting for the commit to be
applied. This does not necessarily mean there is a problem. Use

    fluxctl sync

to run a sync interactively.
`;

/** Waits for an update to be made. On a timeout, prints an explanation and rejects with TimeoutError. */
export async function awaitUpdate(
  client: ApiClient,
  job: string,
  context: CommandContext,
): Promise<JobResult> {
  try {
    return await awaitJob(client, job, context);
  } catch (error) {
    if (error instanceof TimeoutError) {
      context.err(jobTimedOut);
    }
    throw error;
  }
}

/** Prints what an update did: the workloads to stdout, the commit to stderr. */
export function tellUpdate(
  { result, revision }: JobResult,
  verbosity: number,
  context: CommandContext,
): void {
  const { out, err, paint } = context;
  if (result) {
    out(printResult(result, verbosity, paint));
  }
  if (revision !== undefined) {
    err(`Commit pushed:\t${revision.slice(0, 7)}\n`);
  }
  if (!result) {
    err("Nothing to do\n");
  }
}

/**
 * Waits until a commit is applied, and reports it. Resolves to false if syncing is suspended, so that nothing more
 * happens. That isn't a failure, and neither is it if the commit takes too long. A person also learns what couldn't be
 * applied; the exit status is 1 if nothing of the commit was.
 */
export async function awaitApplied(
  client: ApiClient,
  revision: string,
  context: CommandContext,
): Promise<boolean> {
  try {
    await refuseSuspended(client, context);
    if (context.errScreen === undefined) {
      await awaitSync(client, revision, context);
      context.err(`Commit applied:\t${revision.slice(0, 7)}\n`);
    } else {
      tellEnded(await awaitOutcome({ revision }, client, context), revision, context);
    }
  } catch (error) {
    if (error instanceof SyncSuspendedError) {
      context.err(`Commit not applied:\t${revision.slice(0, 7)}, because ${error.message}\n`);
      context.err(error.advice.map((line) => `${line}\n`).join(""));
      return false;
    }
    if (!(error instanceof TimeoutError)) {
      throw error;
    }
    context.err(`${syncTimedOut}\n${error.advice.map((line) => `${line}\n`).join("")}`);
  }
  return true;
}

function tellEnded(ended: EndedSync, revision: string, context: CommandContext): void {
  const short = revision.slice(0, 7);
  if (ended.kind === "applied" || ended.failure === "") {
    context.err(`Commit applied:\t${short}\n`);
  }
  if (ended.kind === "applied") {
    return;
  }
  const { failure, errors } = ended;
  if (failure !== "") {
    context.err(`Commit not applied:\t${short}\n`);
    context.exitWith(1);
  }
  context.err(`${context.errPaint.bad("Warning:")} ${describeFailure(failure, errors)}\n`);
  tellErrors(errors, context);
  context.err(`${adviceOnFailedSync(failure)}\n`);
}
