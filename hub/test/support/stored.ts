import type { NewEvent } from "../../src/store/events.ts";
import { createInstance } from "../../src/store/instances.ts";
import { type Lease, takeLease } from "../../src/store/leases.ts";
import type { Connection } from "../../src/store/schema.ts";
import type { NewWorkload } from "../../src/store/workload-row.ts";

/** A time at which nothing else happens. */
export const now = Date.UTC(2026, 2, 4, 5, 6, 7, 89);

/** Adds an instance with this name, and a token that is its name. */
export function addInstance(connection: Connection, name: string): Promise<string> {
  return createInstance(connection, { name, description: "", tokenHash: name }, now);
}

/** Adds an instance whose daemon is connected. */
export async function addConnectedInstance(connection: Connection, name: string): Promise<Lease> {
  const lease = {
    instanceId: await addInstance(connection, name),
    consoleId: "c1",
    leaseId: `lease of ${name}`,
  };
  await takeLease(connection, { ...lease, userAgent: "fluxd/1.25.4", protocol: "v11" }, now);
  return lease;
}

/** A healthy workload; `id` is like `default:deployment/helloworld`. */
export function workload(id: string, changes: Partial<NewWorkload> = {}): NewWorkload {
  const [namespace = "", kind = "", name = ""] = id.split(/[:/]/);
  return {
    id,
    namespace,
    kind,
    name,
    status: "ready",
    health: "healthy",
    rollout: { desired: 1, updated: 1, ready: 1, available: 1, outdated: 0, messages: [] },
    readOnly: "",
    policies: {},
    syncError: "",
    antecedent: "",
    containers: [],
    ...changes,
  };
}

/** A sync; events with different fingerprints are different. */
export function syncEvent(
  instanceId: string,
  fingerprint: string,
  changes: Partial<NewEvent> = {},
): NewEvent {
  return {
    instanceId,
    type: "sync",
    severity: "info",
    at: new Date(now),
    namespaces: ["default"],
    workloadIds: ["default:deployment/helloworld"],
    revision: "abc",
    message: "Sync: abc",
    metadata: {},
    fingerprint,
    ...changes,
  };
}
