import type { ResourceId } from "../../src/resource/id.ts";
import type { PolicyUpdate } from "../../src/resource/policy.ts";
import type { Cause } from "../../src/update/spec.ts";
import { awaitJob, TimeoutError } from "./await-job.ts";
import type { CommandContext } from "./command.ts";
import { printResult } from "./output/result.ts";

/** A change of policies that is asked for. */
export interface PolicyChange {
  readonly workload: ResourceId;
  readonly update: PolicyUpdate;
  readonly cause: Cause;
}

const timedOut = `
We timed out waiting for the result of the operation. This does not
necessarily mean it has failed. You can check the state of the
cluster, or commit logs, to see if there was a result. In general, it
is safe to retry operations.
`;

/** Has the daemon change policies in git, waits for it, and tells what was done. */
export async function changePolicy(
  { workload, update, cause }: PolicyChange,
  verbosity: number,
  context: CommandContext,
): Promise<void> {
  const { out, err, clock, signal, globals } = context;
  const client = await context.connect();
  const spec = { type: "policy", cause, spec: new Map([[workload, update]]) } as const;
  const job = await client.updateManifests(spec, signal);
  const timeoutMs = globals.timeout.value;
  const { result, revision } = await awaitJob(client, job, { clock, signal, timeoutMs }).catch(
    sayTimeout(err),
  );
  if (result) {
    out(printResult(result, verbosity));
  }
  if (revision !== undefined) {
    err(`Commit pushed:\t${revision.slice(0, 7)}\n`);
  }
  if (!result) {
    err("Nothing to do\n");
  }
}

function sayTimeout(err: CommandContext["err"]): (error: unknown) => never {
  return (error) => {
    if (error instanceof TimeoutError) {
      err(timedOut);
    }
    throw error;
  };
}
