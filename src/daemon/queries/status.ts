/** What people ask first: is the cluster as in git, and if not, why. What can't be determined is named. */
import { type Checkup, type Clock, type Finding, messageOf, runCheckups } from "@weir/base";
import { type Cluster, conditionOf, type ResourceStatus } from "@weir/flux";
import type {
  LastSyncReport,
  PendingReport,
  ResourceCounts,
  StatusQuery,
  StatusReport,
  Suspension,
} from "@weir/flux/api";
import type { SyncState } from "../sync/state.ts";
import { headToPreview, type InspectionDependencies, syncSetAt } from "./inspected-set.ts";

/** The time limit for all checks together, in milliseconds. */
const checkTimeout = 10_000;

/** The status of the daemon. Rejects only if aborted. */
export async function status(
  { fetch, brief }: StatusQuery,
  deps: StatusDependencies,
  signal: AbortSignal,
): Promise<StatusReport> {
  const { repo, settings, syncState, lastSync, suspensions } = deps;
  const unknown: string[] = [];
  const found = async <T>(what: string, work: Promise<T>): Promise<T | undefined> => {
    try {
      return await work;
    } catch (error) {
      signal.throwIfAborted();
      unknown.push(`cannot determine ${what}: ${messageOf(error).trim()}`);
      return undefined;
    }
  };
  if (fetch) {
    await found("what is in git now", repo.refresh(signal));
  }
  const { status: state, error: errors } = repo.status();
  const isReady = state === "ready";
  const synced = isReady ? await found("what was synced", syncState.revision(signal)) : undefined;
  const head = isReady ? await found("the head of the branch", headToPreview(deps, signal)) : undefined;
  const [behind, objects, findings] = await Promise.all([
    head === undefined ? 0 : found("what isn't synced", commitsBehind(synced ?? "", head, deps, signal)),
    head === undefined || brief ? undefined : found("the status of resources", objectsAt(head, deps, signal)),
    problems(deps, signal),
  ]);
  return {
    git: { url: repo.safeUrl, branch: settings.branch, status: state, errors },
    head: head ?? "",
    synced: synced ?? "",
    behind: behind ?? 0,
    lastSync,
    automates: settings.automationInterval !== undefined,
    suspensions,
    ...objects,
    findings,
    unknown,
  };
}

export interface StatusDependencies extends InspectionDependencies {
  readonly cluster: Pick<Cluster, "tree" | "pendingDeletions">;
  readonly syncState: Pick<SyncState, "revision">;
  readonly lastSync: LastSyncReport;
  readonly suspensions: readonly Suspension[];
  /** Checks that take little; those that pass aren't reported. */
  readonly conditions: readonly Checkup[];
  readonly clock: Clock;
}

async function commitsBehind(
  synced: string,
  head: string,
  { repo, settings }: StatusDependencies,
  signal: AbortSignal,
): Promise<number> {
  const paths = settings.manifestGeneration ? [] : settings.paths;
  const commits =
    synced === ""
      ? await repo.commitsBefore(head, paths, signal)
      : await repo.commitsBetween(synced, head, paths, signal);
  return commits.length;
}

async function objectsAt(
  head: string,
  deps: StatusDependencies,
  signal: AbortSignal,
): Promise<{ readonly resources: ResourceCounts; readonly pending: PendingReport }> {
  const set = await syncSetAt(head, deps, signal);
  const resources = countResources(await deps.cluster.tree(set, "", signal));
  return { resources, pending: { revision: head, ...(await deps.cluster.pendingDeletions(set, signal)) } };
}

/** Counts what is in git by its condition. */
export function countResources(statuses: readonly ResourceStatus[]): ResourceCounts {
  const conditions = statuses.map(conditionOf);
  return {
    healthy: conditions.filter(({ is }) => is === "healthy").length,
    degraded: conditions.filter(({ is }) => is === "degraded"),
    pending: conditions.filter(({ is }) => is === "pending"),
  };
}

async function problems(
  { conditions, clock }: StatusDependencies,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const findings = await runCheckups(conditions, { clock, timeoutMs: checkTimeout }, signal);
  return findings.filter(({ verdict }) => verdict !== "passed");
}
