import { messageOf } from "@weir/base";
import type { Cluster, Workload } from "@weir/flux";
import type { ListWorkloadsOptions, WorkloadStatusReport } from "@weir/flux/api";
import { type GitDependencies, type InGit, resourcesInGit } from "./resources-in-git.ts";

/**
 * The cluster's workloads with the policies from their manifests in git. Rejects with a FluxError if the manifests
 * can't be loaded; if there's no repository yet, workloads are only marked as read-only.
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

export interface ListDependencies extends GitDependencies {
  readonly cluster: Cluster;
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
