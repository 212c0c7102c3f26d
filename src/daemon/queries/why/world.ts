/**
 * What every answer needs to know: the manifests that a sync would apply, how far the cluster is, and the workloads.
 * Nothing here rejects because something is broken; that's what people ask about.
 */
import { messageOf } from "@weir/base";
import type { Cluster, SyncSet, Workload } from "@weir/flux";
import type { Suspension, WhySync } from "@weir/flux/api";
import type { SyncOutcome } from "../../sync/outcome.ts";
import type { SyncState } from "../../sync/state.ts";
import type { InspectionDependencies } from "../inspected-set.ts";

/** What keeps fluxd from knowing or applying what's in git. */
export interface GitProblem {
  readonly kind: "git-not-ready" | "fetch-failed" | "unverified" | "manifests";
  readonly message: string;
}

/** Git and the cluster as a whole. */
export interface World {
  /** The manifests at `revision`; empty if they aren't known. */
  readonly set: SyncSet;
  /** False if no manifests could be loaded. */
  readonly isKnown: boolean;
  readonly problems: readonly GitProblem[];
  readonly sync: WhySync;
  readonly suspensions: readonly Suspension[];
  readonly workloads: readonly Workload[];
}

/** Looks at everything once. Rejects only when aborted, or if the cluster doesn't respond. */
export async function lookAround(deps: WorldDependencies, signal: AbortSignal): Promise<World> {
  const { head, problems } = await findHead(deps, signal);
  const synced = await orElse("", deps.syncState.revision(signal), signal);
  const { set, problem } = await loadSet([head, synced], deps, signal);
  const workloads = await deps.cluster.allWorkloads("", signal);
  return {
    set: set ?? { name: deps.settings.syncSetName, ...noResources, revision: "" },
    isKnown: set !== undefined,
    problems: problem === undefined ? problems : [...problems, problem],
    sync: syncOf({ head, synced }, deps),
    suspensions: deps.suspensions,
    workloads,
  };
}

export interface WorldDependencies extends InspectionDependencies {
  readonly cluster: Pick<Cluster, "allWorkloads">;
  readonly syncState: Pick<SyncState, "revision">;
  readonly outcome: Pick<SyncOutcome, "failures" | "waitingFor" | "report">;
  /** What is suspended now. */
  readonly suspensions: readonly Suspension[];
}

const noResources = { resources: new Map(), heldBack: [], complete: false } as const;

async function findHead(
  { repo, settings, heads }: WorldDependencies,
  signal: AbortSignal,
): Promise<{ readonly head: string; readonly problems: readonly GitProblem[] }> {
  const { status, error } = repo.status();
  if (status !== "ready") {
    const message = status === "unconfigured" ? "fluxd has no git repository (--git-url)" : error;
    return {
      head: "",
      problems: [{ kind: "git-not-ready", message: message === "" ? "it is being cloned" : message }],
    };
  }
  const problems: GitProblem[] = [];
  await repo.peek(signal).catch((reason: unknown) => {
    signal.throwIfAborted();
    problems.push({ kind: "fetch-failed", message: messageOf(reason) });
  });
  try {
    if (heads === undefined) {
      return { head: await repo.branchHead(signal), problems };
    }
    const { verified, bad } = await heads.verifyHead(signal);
    if (bad !== undefined) {
      const { revision, author, reason } = bad;
      const message = `commit ${revision.slice(0, 12)} by ${author} has no good signature: ${reason}`;
      problems.push({ kind: "unverified", message });
    }
    return { head: verified, problems };
  } catch (reason) {
    signal.throwIfAborted();
    const kind = heads === undefined ? "git-not-ready" : "unverified";
    const message = `branch ${settings.branch}: ${messageOf(reason)}`;
    return { head: "", problems: [...problems, { kind, message }] };
  }
}

/** The manifests of the first revision that can be loaded, and why the one before it can't. */
async function loadSet(
  revisions: readonly string[],
  { manifests, settings }: WorldDependencies,
  signal: AbortSignal,
): Promise<{ readonly set?: SyncSet; readonly problem?: GitProblem }> {
  let problem: GitProblem | undefined;
  for (const revision of revisions.filter((each) => each !== "")) {
    try {
      const set = { name: settings.syncSetName, revision, ...(await manifests.at(revision, signal)) };
      return { set, ...(problem === undefined ? {} : { problem }) };
    } catch (error) {
      signal.throwIfAborted();
      problem ??= { kind: "manifests", message: messageOf(error) };
    }
  }
  return problem === undefined ? {} : { problem };
}

function syncOf({ head, synced }: Pick<WhySync, "head" | "synced">, { outcome }: WorldDependencies): WhySync {
  const { failures, waitingFor } = outcome;
  const at = outcome.report().endedAt?.toISOString() ?? "";
  return { head, synced, state: stateOf({ head, synced, failures, waitingFor }), at, waitingFor, failures };
}

function stateOf({ head, synced, failures, waitingFor }: Omit<WhySync, "state" | "at">): WhySync["state"] {
  if (waitingFor.length > 0) {
    return "waiting";
  }
  if (synced === head && synced !== "") {
    return "synced";
  }
  return failures.length > 0 ? "failing" : synced === "" ? "never" : "pending";
}

async function orElse<T>(otherwise: T, answer: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await answer;
  } catch {
    signal.throwIfAborted();
    return otherwise;
  }
}
