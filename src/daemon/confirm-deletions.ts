/**
 * Confirms deletions on behalf of people. What waits for a confirmation is determined at that moment, for the revision
 * that a sync would apply, so that nobody confirms what they haven't seen.
 */
import { type Logger, messageOf, toError } from "@weir/base";
import {
  type ApprovedDeletions,
  type Cluster,
  FluxError,
  NothingToConfirmError,
  type ResourceId,
  type SyncSet,
} from "@weir/flux";
import type { Confirmation, ConfirmationReport, PendingReport } from "@weir/flux/api";
import type { Agenda } from "./agenda.ts";
import { findRevision, type InspectionDependencies, syncSetAt } from "./queries/inspected-set.ts";

/** As long as git's abbreviations: the revision must be recognized, not guessed. */
const shortestRevision = 7;

/** What a sync wouldn't delete until somebody confirms it. Rejects with a FluxError. */
export async function pendingDeletions(
  deps: ConfirmDependencies,
  signal: AbortSignal,
): Promise<PendingReport> {
  const set = await setToSync(deps, signal);
  return { revision: set.revision, ...(await deps.cluster.pendingDeletions(set, signal)) };
}

export interface ConfirmDependencies extends InspectionDependencies {
  readonly cluster: Pick<Cluster, "pendingDeletions" | "confirmDeletions" | "approveDeletions" | "isAllowed">;
  readonly logger: Logger;
}

/**
 * Confirms the deletion of resources, or allows the deletion of those that a sync to `pruneRevision` holds back, and
 * requests that sync. Rejects with a FluxError if there's nothing to confirm, and then confirms nothing.
 */
export async function confirmDeletions(
  { user, resources, pruneRevision }: Confirmation,
  deps: ConfirmDependencies & { readonly agenda: Pick<Agenda, "askForSync"> },
  signal: AbortSignal,
): Promise<ConfirmationReport> {
  if ((resources.length === 0) === (pruneRevision === "")) {
    throw refused("name either resources or a revision to confirm");
  }
  const set = await setToSync(deps, signal);
  const { ids, forgotten } =
    pruneRevision === ""
      ? { ids: await confirmEach(resources, set, deps, signal), forgotten: "" }
      : await approve(pruneRevision, set, deps, signal);
  const { revision } = set;
  deps.logger.log({
    info: pruneRevision === "" ? "deletions confirmed" : "deletions beyond --sync-prune-limit allowed",
    user,
    revision,
    resources: ids.join(","),
  });
  deps.agenda.askForSync();
  return { revision, resources: ids, forgotten };
}

async function setToSync(deps: ConfirmDependencies, signal: AbortSignal): Promise<SyncSet> {
  return syncSetAt(await findRevision("", deps, signal), deps, signal);
}

async function confirmEach(
  resources: readonly ResourceId[],
  set: SyncSet,
  { cluster }: ConfirmDependencies,
  signal: AbortSignal,
): Promise<readonly ResourceId[]> {
  const ids = [...new Set(resources)];
  const foreign = ids.filter((id) => !cluster.isAllowed(id));
  if (foreign.length > 0) {
    throw refused(`${foreign.join(", ")}: excluded by --k8s-allow-namespace`);
  }
  try {
    await cluster.confirmDeletions(set, ids, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof NothingToConfirmError ? nothingToConfirm(error) : failed(error);
  }
  return ids;
}

async function approve(
  wanted: string,
  set: SyncSet,
  { cluster }: ConfirmDependencies,
  signal: AbortSignal,
): Promise<ApprovedDeletions> {
  const { revision } = set;
  if (wanted.length < shortestRevision || !revision.startsWith(wanted)) {
    throw refused(
      `${wanted} is not the revision that fluxd would sync now, which is ${revision.slice(0, 12)}; \`fluxctl confirm\` shows what waits there`,
    );
  }
  const approved = await cluster.approveDeletions(set, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw failed(error);
  });
  if (approved.ids.length === 0) {
    throw refused(`a sync to ${revision.slice(0, 12)} would not hold back any deletions`);
  }
  return approved;
}

function nothingToConfirm({ ids }: NothingToConfirmError): FluxError {
  return refused(
    `${ids.join(", ")}: not waiting for a confirmation. Only resources that are in the cluster, have the annotation weir.dev/sync-options: Prune=confirm, and are no longer in git do; \`fluxctl confirm\` lists them`,
  );
}

function refused(message: string): FluxError {
  return new FluxError("user", message, `${message}\n`);
}

function failed(error: unknown): FluxError {
  const message = `cannot confirm: ${messageOf(error)}`;
  return new FluxError("server", message, `${message}\n`, { cause: toError(error) });
}
