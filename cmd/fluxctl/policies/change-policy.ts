import type { Cause, PolicyUpdate, ResourceId } from "@weir/flux";
import { adviceOnWorkloads } from "../advice/on-workloads.ts";
import type { CommandContext } from "../command.ts";
import { JobFailedError } from "../waiting/await-job.ts";
import { awaitUpdate, tellUpdate } from "../waiting/outcome.ts";
import { tellNoPolicyChange } from "./explain-policies.ts";

/** A requested change of policies. */
export interface PolicyChange {
  readonly workload: ResourceId;
  readonly update: PolicyUpdate;
  readonly cause: Cause;
}

/** Asks the daemon to change policies in git, waits for the result, and prints it. */
export async function changePolicy(
  { workload, update, cause }: PolicyChange,
  verbosity: number,
  context: CommandContext,
): Promise<void> {
  const client = await context.connect();
  const spec = { type: "policy", cause, spec: new Map([[workload, update]]) } as const;
  const job = await client.updateManifests(spec, context.signal);
  try {
    const made = await awaitUpdate(client, job, context);
    tellUpdate(made, verbosity, context);
    if (made.revision === undefined) {
      await tellNoPolicyChange(workload, client, context);
    }
  } catch (error) {
    if (error instanceof JobFailedError) {
      throw new JobFailedError(
        error.message,
        error.result,
        await adviceOnWorkloads([workload], client, context),
      );
    }
    throw error;
  }
}
