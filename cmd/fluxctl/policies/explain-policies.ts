import type { ResourceId } from "@weir/flux";
import type { WorkloadStatusReport } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import { unknownWorkload } from "../advice/on-workloads.ts";
import type { CommandContext } from "../command.ts";

/** Tells a person why a change of policies changed nothing. As in Flux v1, it isn't a failure. */
export async function tellNoPolicyChange(
  id: ResourceId,
  client: ApiClient,
  { err, errScreen, errPaint, signal }: CommandContext,
): Promise<void> {
  if (errScreen === undefined) {
    return;
  }
  const workloads = await client
    .listWorkloads({ namespace: "", workloads: [] }, signal)
    .catch(() => undefined);
  signal.throwIfAborted();
  const lines = workloads === undefined ? [] : explainNoPolicyChange(id, workloads);
  err(`${errPaint.bad("Warning:")} nothing was changed.\n${lines.map((line) => `${line}\n`).join("")}`);
}

/** Why nothing changed: the workload doesn't exist, isn't in git, or is like that already. */
export function explainNoPolicyChange(
  id: ResourceId,
  workloads: readonly WorkloadStatusReport[],
): readonly string[] {
  const live = workloads.find((workload) => workload.id === id);
  if (live === undefined) {
    return unknownWorkload(
      id,
      workloads.map((workload) => workload.id),
    );
  }
  return live.readOnly === "NotInRepo"
    ? [`${id} is in the cluster, but not in git, where its policies would be.`]
    : [`${id} has these policies in git already.`];
}
