import { quoteGo } from "@weir/base";
import { bool, flagsOf } from "@weir/cli";
import type { GitConfigReport, JobResult, WorkloadStatusReport } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import { tellUnverified } from "../advice/tell-unverified.ts";
import { type Command, type CommandContext, refuseArguments } from "../command.ts";
import { awaitJob, awaitSync, JobFailedError } from "../waiting/await-job.ts";
import { awaitOutcome, failedBefore, SyncFailedError, tellErrors } from "../waiting/await-outcome.ts";
import type { AwaitedSync } from "../waiting/sync-verdict.ts";
import { touchedWorkloads } from "../waiting/touched-workloads.ts";
import { isUnverifiedHead } from "../waiting/unverified-head.ts";
import { watchRollout } from "../waiting/watch-rollout.ts";

/** `fluxctl sync`: makes the daemon fetch from git now, and waits until the head is applied. */
export function syncCommand(): Command {
  const watch = bool("watch", {
    usage: "Watch the rollouts that the sync starts until all are ready",
    shorthand: "w",
  });
  return {
    use: "sync",
    flags: flagsOf({ watch }),
    async run(args, context) {
      refuseArguments(args);
      const client = await context.connect();
      const config = await client.gitRepoConfig(false, context.signal);
      checkReady(config);
      context.err(`Synchronizing with ${config.url}\n`);
      const before = watch.value ? await listAll(client, context) : [];
      const isTold = watch.value || context.errScreen !== undefined;
      const since = isTold ? await failedBefore(client, context) : undefined;
      const revision = await requestSync(client, config.branch, context);
      await (isTold
        ? awaitWhole({ revision, since }, client, context)
        : awaitSync(client, revision.slice(0, 7), context));
      context.err("Done.\n");
      if (watch.value) {
        const touched = touchedWorkloads(before, await listAll(client, context));
        await watchRollout({ ids: touched, verbosity: 0 }, client, context);
      }
    },
  };
}

/** The daemon can't sync: its repository isn't ready. */
export class NotReadyError extends Error {
  override readonly name = "NotReadyError";
}

function listAll(
  client: ApiClient,
  { signal, waitFor }: CommandContext,
): Promise<readonly WorkloadStatusReport[]> {
  return waitFor("the list of workloads", () =>
    client.listWorkloads({ namespace: "", workloads: [] }, signal),
  );
}

/** Resolves to the revision that the daemon is going to apply. */
async function requestSync(client: ApiClient, branch: string, context: CommandContext): Promise<string> {
  const { err, signal } = context;
  const spec = { type: "sync", cause: { message: "", user: "" } } as const;
  const job = await client.updateManifests(spec, signal);
  const { revision } = await fetched(client, job, context);
  if (revision === undefined) {
    throw new NotReadyError(`the daemon did not report which revision of ${branch} to apply`);
  }
  const short = revision.slice(0, 7);
  err(`Revision of ${branch} to apply is ${short}\n`);
  err(`Waiting for ${short} to be applied ...\n`);
  return revision;
}

/** For people, and with --watch: rejects with SyncFailedError if anything can't be applied. */
async function awaitWhole(awaited: AwaitedSync, client: ApiClient, context: CommandContext): Promise<void> {
  const ended = await awaitOutcome(awaited, client, context);
  if (ended.kind === "failed") {
    tellErrors(ended.errors, context);
    throw new SyncFailedError(ended.failure, ended.errors);
  }
}

/**
 * The result of the job. If the head isn't signed properly, the job still reports the last verified commit.
 */
async function fetched(client: ApiClient, job: string, context: CommandContext): Promise<JobResult> {
  const { err, signal } = context;
  try {
    return await awaitJob(client, job, context);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof JobFailedError && isUnverifiedHead(error)) {
      err(`Warning: ${error.message}\n`);
      await tellUnverified(client, context);
      return error.result;
    }
    err(`Failed to complete sync job (ID ${quoteGo(job)})\n`);
    throw error;
  }
}

function checkReady({ status, url, errors }: GitConfigReport): void {
  const details = `\n\nFull error message: ${errors}`;
  switch (status) {
    case "ready":
      return;
    case "unconfigured":
      throw new NotReadyError("no git repository is configured");
    case "unreachable":
      throw new NotReadyError(`can not connect to git repository with URL ${url}${details}`);
    case "new":
    case "cloned":
      throw new NotReadyError(`git repository ${url} is not ready to sync${errors === "" ? "" : details}`);
  }
}
