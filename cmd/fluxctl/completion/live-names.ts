import { Deadline, systemClock } from "@weir/base";
import type { ApiClient } from "../../../src/api/client/client.ts";
import type { WorkloadImagesReport, WorkloadStatusReport } from "../../../src/api/types/api-server.ts";
import type { ResourceId } from "../../../src/resource/id.ts";
import { connect } from "../connect.ts";
import type { GlobalFlags } from "../globals.ts";
import type { Terminal } from "../terminal.ts";

/** Who pressed Tab does not wait longer, in milliseconds. */
const patience = 1_500;

/** What the daemon can be asked for names. */
export interface LiveNames {
  readonly workloads: () => Promise<readonly WorkloadStatusReport[]>;
  readonly images: (workload: ResourceId) => Promise<readonly WorkloadImagesReport[]>;
}

/** Has names looked for at the daemon; undefined where it cannot be asked or takes too long. */
export async function askDaemon<T>(
  globals: GlobalFlags,
  { env, clock = systemClock }: Terminal,
  find: (names: LiveNames) => Promise<T>,
): Promise<T | undefined> {
  using deadline = new Deadline(clock, patience);
  const silent: Terminal = { out: () => undefined, err: () => undefined, env };
  try {
    await using connection = await connect(globals, silent, deadline.signal);
    return await find(namesFrom(connection.client, deadline.signal));
  } catch {
    // Nobody asked for an answer, so nobody wants to read why there is none.
    return undefined;
  }
}

function namesFrom(client: ApiClient, signal: AbortSignal): LiveNames {
  return {
    workloads: () => client.listWorkloads({ namespace: "", workloads: [] }, signal),
    images: (workload) =>
      client.listImages({ workload, namespace: "", fields: ["Name", "Available"] }, signal),
  };
}
