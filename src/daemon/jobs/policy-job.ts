import type { JobResult } from "../../api/types/api-server.ts";
import { messageOf } from "../../base/errors.ts";
import type { ResourceId } from "../../resource/id.ts";
import type { UpdateStatus, WorkloadResult } from "../../update/result.ts";
import type { UpdateSpec } from "../../update/spec.ts";
import { printNote } from "../note.ts";
import type { DaemonSettings, ManifestSource, Repo, WorkingClone } from "../ports.ts";
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
  const result = await editPolicies(spec, clone, deps.manifests, signal);
  if (![...result.values()].some(({ status }) => status === "success")) {
    return { spec, result };
  }
  const revision = await push(id, spec, clone, deps, signal);
  return { revision, spec, result };
}

async function editPolicies(
  spec: PolicySpec,
  clone: WorkingClone,
  manifests: ManifestSource,
  signal: AbortSignal,
): Promise<ReadonlyMap<ResourceId, WorkloadResult>> {
  const result = new Map<ResourceId, WorkloadResult>();
  for (const [id, update] of spec.spec) {
    const changed = await manifests.updatePolicies(clone.dir, id, update, signal);
    result.set(id, outcome(changed ? "success" : "skipped"));
  }
  return result;
}

function outcome(status: UpdateStatus): WorkloadResult {
  return { status, containers: null };
}

async function push(
  id: string,
  spec: PolicySpec,
  clone: WorkingClone,
  deps: PolicyJobDependencies,
  signal: AbortSignal,
): Promise<string> {
  const { settings } = deps;
  const action = {
    message: policyCommitMessage(spec.spec, spec.cause) + settings.skipMessage,
    author: settings.setAuthor && spec.cause.user !== "" ? spec.cause.user : undefined,
    note: printNote({ jobId: id, spec, result: null }),
  };
  try {
    return await clone.commitAndPush(action, signal);
  } catch (error) {
    // The upstream may have moved on; with its head synced, the next attempt is more likely to succeed.
    deps.askForSync();
    throw error instanceof Error ? error : new Error(messageOf(error));
  }
}
