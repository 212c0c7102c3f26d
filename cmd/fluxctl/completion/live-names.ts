import { Deadline, systemClock } from "@weir/base";
import type { ResourceId } from "@weir/flux";
import type { WorkloadImagesReport, WorkloadStatusReport } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import { connect } from "../daemon/connect.ts";
import type { GlobalFlags } from "../flags/globals.ts";
import type { Terminal } from "../terminal.ts";

/** The maximum time to wait after Tab is pressed, in milliseconds. */
const patience = 1_500;

/** The daemon's sources of names. */
export interface LiveNames {
  readonly workloads: () => Promise<readonly WorkloadStatusReport[]>;
  readonly images: (workload: ResourceId) => Promise<readonly WorkloadImagesReport[]>;
}

/** Looks up names in the daemon; undefined if it can't be reached or takes too long. */
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
    // Pressing Tab isn't a request for an error message.
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
