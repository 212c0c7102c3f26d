import type {
  ListWorkloadsOptions,
  ReadOnlyReason,
  WorkloadStatusReport,
} from "../../api/types/api-server.ts";
import { messageOf, toError } from "../../base/errors.ts";
import type { Cluster } from "../../cluster/cluster.ts";
import type { Workload } from "../../cluster/workload.ts";
import { manifestLoadError } from "../errors.ts";
import type { ManifestSource, Repo } from "../ports.ts";
import type { ResourceSet } from "../sync/ratchet.ts";

/** What listing needs. */
export interface ListDependencies {
  readonly repo: Repo;
  readonly manifests: ManifestSource;
  readonly cluster: Cluster;
}

/** What git holds, and why a workload it does not hold cannot be changed. */
interface InGit {
  readonly resources: ResourceSet;
  readonly missing: ReadOnlyReason;
}

/**
 * The workloads of the cluster with the policies that their manifests in git give them. Rejects with a
 * FluxError where the manifests do not load; a repository that is not there yet only makes them read-only.
 */
export async function listWorkloads(
  { namespace, workloads }: ListWorkloadsOptions,
  deps: ListDependencies,
  signal: AbortSignal,
): Promise<readonly WorkloadStatusReport[]> {
  if (namespace !== "" && workloads.length > 0) {
    throw new Error("cannot filter by 'namespace' and 'workloads' at the same time");
  }
  const live = await liveWorkloads(namespace, workloads, deps.cluster, signal);
  const inGit = await resourcesInGit(deps, signal);
  return live.map((workload) => report(workload, inGit, deps.repo.readonly));
}

async function liveWorkloads(
  namespace: string,
  workloads: ListWorkloadsOptions["workloads"],
  cluster: Cluster,
  signal: AbortSignal,
): Promise<readonly Workload[]> {
  try {
    return workloads.length > 0
      ? await cluster.someWorkloads(workloads, signal)
      : await cluster.allWorkloads(namespace, signal);
  } catch (error) {
    throw new Error(`getting workloads from cluster: ${messageOf(error)}`, { cause: error });
  }
}

async function resourcesInGit({ repo, manifests }: ListDependencies, signal: AbortSignal): Promise<InGit> {
  const { status } = repo.status();
  if (status !== "ready") {
    return { resources: new Map(), missing: status === "unconfigured" ? "NoRepo" : "NotReady" };
  }
  const head = await repo.branchHead(signal);
  try {
    const { resources } = await manifests.at(head, signal);
    return { resources, missing: "NotInRepo" };
  } catch (error) {
    throw manifestLoadError(toError(error));
  }
}

function report(workload: Workload, { resources, missing }: InGit, readonly: boolean): WorkloadStatusReport {
  const resource = resources.get(workload.id);
  return {
    id: workload.id,
    containers: workload.containers,
    readOnly: resource ? (readonly ? "ReadOnlyMode" : "") : missing,
    status: workload.status,
    rollout: workload.rollout,
    syncError: workload.syncError ?? "",
    antecedent: workload.antecedent ?? "",
    labels: workload.labels,
    policies: resource?.policies ?? {},
  };
}
