import { type Logger, messageOf, toError } from "@weir/base";
import {
  failed,
  type PolicyUpdate,
  type PolicyUpdates,
  type ResourceId,
  type UpdateSpec,
  type UpdateStatus,
  type WorkloadResult,
} from "@weir/flux";
import type { JobResult } from "@weir/flux/api";
import { ResourceNotFoundError } from "../../manifests/errors.ts";
import type { ManifestStore } from "../../manifests/store.ts";
import type { Agenda } from "../agenda.ts";
import type { DaemonSettings, ManifestSource, Repo, WorkingClone } from "../ports.ts";
import { basisOfPolicies } from "./change-basis.ts";
import { commitUpdate, type MadeUpdate } from "./commit.ts";
import { JobError } from "./jobs.ts";
import { policyCommitMessage } from "./policy-commit-message.ts";
import { type RetryGuard, retryOvertaken } from "./push-retries.ts";
import { type CloneDependencies, openVerifiedClone } from "./verified-clone.ts";

type PolicySpec = Extract<UpdateSpec, { type: "policy" }>;

/**
 * Changes policies of workloads in git: edits the files, commits with a note, and pushes. If nothing had to change,
 * resolves to skipped results without a revision. Rejects if a workload can't be changed, in which case nothing is
 * pushed. After cloning, it rejects with a JobError that contains the result for each workload. Like Flux v1's
 * updatePolicies. If somebody else pushed first, the change can be made again on the new head, from the beginning.
 */
export function changePolicies(
  id: string,
  spec: PolicySpec,
  deps: PolicyJobDependencies,
  signal: AbortSignal,
): Promise<JobResult> {
  return retryOvertaken(id, (guard) => changeOnHead({ id, spec, guard }, deps, signal), deps, signal);
}

export interface PolicyJobDependencies {
  readonly settings: DaemonSettings;
  readonly repo: Repo;
  readonly manifests: ManifestSource;
  readonly logger: Logger;
  readonly heads?: CloneDependencies["heads"];
  readonly agenda: Pick<Agenda, "askForSync">;
}

interface PolicyAttempt {
  readonly id: string;
  readonly spec: PolicySpec;
  readonly guard: RetryGuard;
}

async function changeOnHead(
  { id, spec, guard }: PolicyAttempt,
  deps: PolicyJobDependencies,
  signal: AbortSignal,
): Promise<JobResult> {
  await using clone = await openVerifiedClone(deps, signal);
  const updates = spec.spec ?? new Map<ResourceId, PolicyUpdate>();
  const result = new Map<ResourceId, WorkloadResult>();
  try {
    const store = deps.manifests.store(clone.dir);
    const before = guard.isNeeded ? (await store.resources(signal)).resources : undefined;
    await editPolicies(updates, result, store, signal);
    if (![...result.values()].some(({ status }) => status === "success")) {
      return { spec, result };
    }
    if (before !== undefined) {
      guard.check(basisOfPolicies(before, result));
    }
    const message = policyCommitMessage(updates, spec.cause);
    const revision = await commitPolicies({ jobId: id, spec, result: null, message }, clone, deps, signal);
    return { revision, spec, result };
  } catch (error) {
    throw new JobError({ spec, result }, toError(error));
  }
}

/** Writes the outcome for each workload into `result`, up to the first one that can't be changed. */
async function editPolicies(
  updates: PolicyUpdates,
  result: Map<ResourceId, WorkloadResult>,
  store: ManifestStore,
  signal: AbortSignal,
): Promise<void> {
  for (const [id, update] of updates) {
    try {
      const changed = await editOne(id, update, store, signal);
      result.set(id, outcome(changed ? "success" : "skipped"));
    } catch (error) {
      result.set(id, failed(messageOf(error)));
      throw error;
    }
  }
}

async function commitPolicies(
  update: MadeUpdate,
  clone: WorkingClone,
  deps: PolicyJobDependencies,
  signal: AbortSignal,
): Promise<string> {
  try {
    return await commitUpdate(update, clone, deps.settings, signal);
  } catch (error) {
    // Upstream may have new commits; after syncing its head, the next attempt is more likely to succeed.
    deps.agenda.askForSync();
    throw error;
  }
}

/** As in Flux v1, a workload that isn't in git has nothing to change. */
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
