import { Deadline, type Finding } from "@weir/base";
import type { GitConfigReport, JobState, WorkloadStatusReport } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import type { CommandContext } from "../command.ts";

/** The time limit for the daemon to report problems, in milliseconds. */
const askFor = 3_000;

/** The maximum number of errors to show; the log has the rest. */
const shownErrors = 5;

/** Why a job or a sync takes long, according to the daemon, and what can be done, in lines. */
export async function causesOfDelay(
  client: ApiClient,
  state: JobState | "sync",
  { clock, signal }: CommandContext,
): Promise<readonly string[]> {
  using deadline = new Deadline(clock, askFor, signal);
  const [config, workloads, findings] = await Promise.all([
    client.gitRepoConfig(false, deadline.signal).catch(() => undefined),
    client.listWorkloads({ namespace: "", workloads: [] }, deadline.signal).catch(() => []),
    // Flux v1 doesn't know the question.
    state === "sync" ? client.check(deadline.signal).catch(() => []) : [],
  ]);
  signal.throwIfAborted();
  return [
    ...(state === "queued"
      ? ["It is waiting for fluxd to finish its current job; fluxd runs one job at a time."]
      : []),
    ...(config === undefined ? ["fluxd no longer responds."] : repositoryTrouble(config)),
    ...syncErrors(workloads, findings),
    "Check fluxd's log for details. To wait longer, use --timeout (or FLUX_TIMEOUT).",
  ];
}

function repositoryTrouble({ status, url, errors }: GitConfigReport): readonly string[] {
  return status === "ready"
    ? []
    : [`The git repository ${url} is ${status}${errors === "" ? "." : `: ${errors.trim()}`}`];
}

/** The errors that a failed sync leaves in the status of workloads, or else the error that ended it before that. */
function syncErrors(
  workloads: readonly WorkloadStatusReport[],
  findings: readonly Finding[],
): readonly string[] {
  const failed = workloads.filter(({ syncError }) => syncError !== "");
  if (failed.length === 0) {
    return findings.filter(isFailedSync).map(({ found }) => found.charAt(0).toUpperCase() + found.slice(1));
  }
  const shown = failed.slice(0, shownErrors).map(({ id, syncError }) => `${id}: ${syncError.trim()}`);
  const more = failed.length - shown.length;
  return more > 0 ? [...shown, `... and ${more} more workloads that failed to apply`] : shown;
}

function isFailedSync({ subject, verdict }: Finding): boolean {
  return subject === "sync" && verdict === "failed";
}
