import { type Checkup, type Finding, failed, passed, warning } from "@weir/base";
import type { Repo } from "../ports.ts";
import type { SyncOutcome } from "../sync/outcome.ts";
import type { SyncState } from "../sync/state.ts";

const subject = "sync";
/** The maximum length of a message, in characters; `fluxctl events` shows the whole text. */
const longest = 1_000;

/** Checks that everything in git is applied. */
export function syncCheckup(options: SyncCheckOptions): Checkup {
  return { subject, look: async (signal) => [await look(options, signal)] };
}

export interface SyncCheckOptions {
  readonly repo: Pick<Repo, "status" | "branchHead" | "commitsBetween">;
  readonly branch: string;
  /** The paths to sync. */
  readonly paths: readonly string[];
  readonly syncState: Pick<SyncState, "revision">;
  readonly outcome: Pick<SyncOutcome, "failures" | "waitingFor">;
}

async function look(options: SyncCheckOptions, signal: AbortSignal): Promise<Finding> {
  const { repo, branch, paths, syncState, outcome } = options;
  if (repo.status().status !== "ready") {
    return warning(subject, "cannot sync until the git repository is available", "");
  }
  if (outcome.failures.length > 0) {
    return failed(subject, `the last sync failed: ${textOf(outcome.failures)}`, syncAdvice);
  }
  if (outcome.waitingFor.length > 0) {
    const resources = textOf(outcome.waitingFor);
    return warning(subject, `a sync is waiting until these are ready: ${resources}`, waitingAdvice);
  }
  const synced = await syncState.revision(signal);
  if (synced === "") {
    return warning(subject, "no sync has completed yet", "wait a moment, or run `fluxctl sync`");
  }
  const head = await repo.branchHead(signal);
  const waiting = await repo.commitsBetween(synced, head, paths, signal);
  const commits = waiting.length === 1 ? "1 commit is" : `${waiting.length} commits are`;
  return waiting.length === 0
    ? passed(subject, `all commits of ${branch} are applied, up to ${synced.slice(0, 7)}`)
    : warning(subject, `${commits} not applied yet, after ${synced.slice(0, 7)}`, "run `fluxctl sync`");
}

const waitingAdvice = "wait until they have finished or are healthy; to see their status, run `fluxctl tree`";

const syncAdvice =
  "fix these problems in git or in the cluster; for the full list, run `fluxctl events --type failure`";

function textOf(failures: readonly string[]): string {
  const text = failures.join("; ");
  return text.length > longest ? `${text.slice(0, longest)} ...` : text;
}
