import type { JobResult } from "../../api/types/api-server.ts";
import { toError } from "../../base/errors.ts";
import { ResourceNotFoundError } from "../../manifests/errors.ts";
import type { ManifestStore } from "../../manifests/store.ts";
import type { ResourceId } from "../../resource/id.ts";
import type { PolicyUpdate } from "../../resource/policy.ts";
import type { UpdateStatus, WorkloadResult } from "../../update/result.ts";
import type { UpdateSpec } from "../../update/spec.ts";
import type { DaemonSettings, ManifestSource, Repo } from "../ports.ts";
import { commitUpdate } from "./commit.ts";
import { policyCommitMessage } from "./policy-commit-message.ts";

type PolicySpec = Extract<UpdateSpec, { type: "policy" }>;

/** What a job that changes policies works with. */
export interface PolicyJobDependencies {
  readonly settings: DaemonSettings;
  readonly repo: Repo;
  readonly manifests: ManifestSource;
  /** Asks for a sync soon. */
  askForSync(): void;
}

/**
 * Changes the policies of workloads in git: edits the files, commits, notes and pushes. Resolves to skipped
 * results and no revision where nothing had to change; rejects where a workload cannot be changed, and then
 * nothing is pushed. As Flux v1's updatePolicies.
 */
export async function changePolicies(
  id: string,
  spec: PolicySpec,
  deps: PolicyJobDependencies,
  signal: AbortSignal,
): Promise<JobResult> {
  await using clone = await deps.repo.workingClone(signal);
  const result = await editPolicies(spec, deps.manifests.store(clone.dir), signal);
  if (![...result.values()].some(({ status }) => status === "success")) {
    return { spec, result };
  }
  const message = policyCommitMessage(spec.spec, spec.cause);
  try {
    const made = { jobId: id, spec, result: null, message };
    const revision = await commitUpdate(made, clone, deps.settings, signal);
    return { revision, spec, result };
  } catch (error) {
    // The upstream may have moved on; with its head synced, the next attempt is more likely to succeed.
    deps.askForSync();
    throw toError(error);
  }
}

async function editPolicies(
  spec: PolicySpec,
  store: ManifestStore,
  signal: AbortSignal,
): Promise<ReadonlyMap<ResourceId, WorkloadResult>> {
  const result = new Map<ResourceId, WorkloadResult>();
  for (const [id, update] of spec.spec) {
    const changed = await editOne(id, update, store, signal);
    result.set(id, outcome(changed ? "success" : "skipped"));
  }
  return result;
}

/** As Flux v1: a workload that git has not got has nothing to change. */
async function editOne(
  id: ResourceId,
  update: PolicyUpdate,
  store: ManifestStore,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return await store.updateWorkloadPolicies(id, update, signal);
  } catch (error) {
    if (error instanceof ResourceNotFoundError) {
      return false;
    }
    throw error;
  }
}

function outcome(status: UpdateStatus): WorkloadResult {
  return { status, containers: null };
}
