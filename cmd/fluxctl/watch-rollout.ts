import type { ApiClient } from "../../src/api/client/client.ts";
import type { WorkloadStatusReport } from "../../src/api/types/api-server.ts";
import type { ResourceId } from "../../src/resource/id.ts";
import type { CommandContext } from "./command.ts";
import { printRollout } from "./output/rollout.ts";

/** Something stands in the way of a rollout; what, has been told. */
export class RolloutError extends Error {
  override readonly name = "RolloutError";
  readonly workload: ResourceId;

  constructor(workload: ResourceId) {
    super(`the rollout of ${workload} has a problem`);
    this.workload = workload;
  }
}

/** Time between two looks, in milliseconds. */
const lookEvery = 2_000;

/**
 * Shows again and again how far workloads have come, until all are ready. Rejects with RolloutError where one of them
 * says what is in its way. As Flux v1, which however ends well then, and shows all workloads of the cluster where
 * there are none to be watched.
 */
export async function watchRollout(
  ids: readonly ResourceId[],
  verbosity: number,
  client: ApiClient,
  context: CommandContext,
): Promise<void> {
  context.err("Monitoring rollout ...\n");
  while (!(await look(ids, verbosity, client, context))) {
    await context.clock.sleep(lookEvery, context.signal);
  }
}

/** True where there is nothing more to be seen. */
async function look(
  ids: readonly ResourceId[],
  verbosity: number,
  client: ApiClient,
  { out, err, signal }: CommandContext,
): Promise<boolean> {
  const workloads =
    ids.length === 0 ? [] : await client.listWorkloads({ namespace: "", workloads: ids }, signal);
  for (const workload of workloads) {
    out(printRollout(workload, verbosity));
    const { messages } = workload.rollout;
    if (messages !== null) {
      err(`There was a problem releasing ${workload.id}:\n${messages.map((line) => `${line}\n`).join("")}`);
      throw new RolloutError(workload.id);
    }
  }
  if (workloads.every(isReady)) {
    err("All workloads ready.\n");
    return true;
  }
  return false;
}

function isReady({ status }: WorkloadStatusReport): boolean {
  return status === "ready";
}
