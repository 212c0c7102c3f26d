import type { ResourceId } from "@weir/flux";
import type { WorkloadStatusReport } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import type { CommandContext } from "../command.ts";
import { pollDaemon } from "../daemon/poll-daemon.ts";
import { openLiveView } from "../output/live-view.ts";
import { printRollout } from "../output/rollout.ts";

/** The workloads whose rollout to watch, and how much to print. */
export interface Rollout {
  readonly ids: readonly ResourceId[];
  readonly verbosity: number;
}

/**
 * Repeatedly shows the rollout of workloads until all are ready. Rejects with RolloutError if one of them
 * reports a problem. As Flux v1, except that Flux v1 succeeds in that case, and shows all workloads of the
 * cluster if there are none to watch.
 */
export async function watchRollout(
  { ids, verbosity }: Rollout,
  client: ApiClient,
  context: CommandContext,
): Promise<void> {
  context.err("Monitoring rollout ...\n");
  using view = openLiveView("", context, true);
  const ask = async (asked: ApiClient, signal: AbortSignal): Promise<boolean> => {
    const workloads =
      ids.length === 0 ? [] : await asked.listWorkloads({ namespace: "", workloads: ids }, signal);
    view.show(workloads.map((workload) => printRollout(workload, verbosity, context.paint)).join(""));
    return isOver(workloads, context);
  };
  await pollDaemon({ ask, lost: (reason) => view.lost(reason), found: () => view.found() }, client, context);
}

/** Something blocks a rollout; the reason was already printed. */
export class RolloutError extends Error {
  override readonly name = "RolloutError";
  readonly workload: ResourceId;

  constructor(workload: ResourceId) {
    super(`the rollout of ${workload} has a problem`);
    this.workload = workload;
  }
}

/** Flux's status, and the Helm operator's status for a HelmRelease. */
const readyWords = ["ready", "deployed"];

/** True if all workloads are ready. Throws RolloutError. */
function isOver(workloads: readonly WorkloadStatusReport[], { err }: CommandContext): boolean {
  const stuck = workloads.find(({ rollout }) => rollout.messages !== null);
  if (stuck !== undefined) {
    const messages = stuck.rollout.messages ?? [];
    err(`There was a problem releasing ${stuck.id}:\n${messages.map((line) => `${line}\n`).join("")}`);
    throw new RolloutError(stuck.id);
  }
  if (workloads.every(({ status }) => readyWords.includes(status))) {
    err("All workloads ready.\n");
    return true;
  }
  return false;
}
