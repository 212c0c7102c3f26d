import { scopeOf } from "../access/actor.ts";
import type { Instance as AnsweredInstance } from "../contract/instances.ts";
import { findInstance, type Instance, listInstances } from "../store/instances.ts";
import { rivalsProblem } from "../store/rivals.ts";
import type { Connection } from "../store/schema.ts";
import type { Handlers } from "./call.ts";
import { noSuchInstance } from "./may-call.ts";
import { answeredPage, answeredTime, pageRequest } from "./page.ts";

/** Answers what instances there are. */
export function instanceHandlers(connection: Connection): Pick<Handlers, "instances" | "instance"> {
  return {
    instances: async ({ actor, query }) => {
      const { q, connected, suspended, sync, ...page } = query;
      const filter = {
        scope: scopeOf(actor),
        search: q,
        connected: connected && connected === "true",
        suspended: suspended && suspended === "true",
        syncStates: sync && [sync],
      };
      return answeredPage(
        await listInstances(connection, filter, pageRequest(page, sorts)),
        answeredInstance,
      );
    },
    instance: async ({ actor, path }) => {
      const instance = await findInstance(connection, path.instance, scopeOf(actor));
      if (instance === undefined) {
        throw noSuchInstance();
      }
      return answeredInstance(instance);
    },
  };
}

const sorts = {
  name: ["name", "ascending"],
  "-name": ["name", "descending"],
  lastSeenAt: ["lastSeen", "ascending"],
  "-lastSeenAt": ["lastSeen", "descending"],
  lastSyncAt: ["lastSync", "ascending"],
  "-lastSyncAt": ["lastSync", "descending"],
  unhealthy: ["unhealthy", "ascending"],
  "-unhealthy": ["unhealthy", "descending"],
} as const;

/** An instance as it's answered. */
export function answeredInstance(stored: Instance): AnsweredInstance {
  return {
    id: stored.id,
    name: stored.name,
    description: stored.description,
    createdAt: answeredTime(stored.createdAt),
    connected: stored.connected,
    connectedAt: answeredTime(stored.connectedAt),
    lastSeenAt: answeredTime(stored.lastSeenAt),
    daemon: { kind: stored.kind, version: stored.daemonVersion, protocol: stored.protocol },
    git: {
      url: stored.gitUrl,
      branch: stored.gitBranch,
      path: stored.gitPath,
      head: stored.headRevision,
    },
    sync: {
      state: stored.syncState,
      revision: stored.lastSyncRevision,
      at: answeredTime(stored.lastSyncAt),
    },
    suspended: stored.suspended,
    syncSuspended: stored.syncSuspended,
    suspendedReason: stored.suspendedReason,
    problem: stored.hasRivals ? rivalsProblem : stored.problem,
    workloads: {
      total: stored.workloads,
      degraded: stored.unhealthy,
      progressing: stored.progressing,
      newImages: stored.newImages,
    },
  };
}
