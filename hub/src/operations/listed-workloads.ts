import { type Actor, scopeOf } from "../access/actor.ts";
import type { Workload, WorkloadQuery } from "../contract/workloads.ts";
import { Problem } from "../problem/problem.ts";
import type { Connection } from "../store/schema.ts";
import {
  countWorkloads,
  findWorkload,
  listWorkloads,
  type StoredWorkload,
  type WorkloadFilter,
} from "../store/workloads.ts";
import type { Handlers } from "./call.ts";
import { answeredPage, answeredTime, pageRequest } from "./page.ts";

/** Answers what workloads there are, as they were when their daemon listed them last. */
export function workloadHandlers(
  connection: Connection,
): Pick<Handlers, "workloads" | "workloadFacets" | "workload"> {
  return {
    workloads: async ({ actor, query }) =>
      answeredPage(
        await listWorkloads(connection, filterOf(actor, query), pageRequest(query, sorts)),
        answeredWorkload,
      ),
    workloadFacets: async ({ actor, query }) => {
      const { total, namespaces, kinds, health } = await countWorkloads(connection, filterOf(actor, query));
      const named = ({ value, count }: { readonly value: string; readonly count: number }) => ({
        name: value,
        count,
      });
      return {
        total,
        namespaces: namespaces.map(named),
        kinds: kinds.map(named),
        health: Object.fromEntries(health.map(({ value, count }) => [value, count])),
      };
    },
    workload: async ({ actor, path }) => {
      const place = { instanceId: path.instance, id: path.workload };
      const workload = await findWorkload(connection, place, scopeOf(actor));
      if (workload === undefined) {
        throw noSuchWorkload(path.workload);
      }
      return answeredWorkload(workload);
    },
  };
}

/** The problem of a workload that doesn't exist, or that the caller may not see. */
export function noSuchWorkload(id: string): Problem {
  return new Problem("not-found", `There's no workload ${id} in this instance.`, {
    advice: "It may have been deleted from the cluster: look at the list of workloads.",
  });
}

const sorts = {
  id: ["namespace", "ascending"],
  "-id": ["namespace", "descending"],
  health: ["health", "ascending"],
  changedAt: ["changedAt", "ascending"],
  "-changedAt": ["changedAt", "descending"],
  newImages: ["newImages", "descending"],
} as const;

/** The names that Flux has for policies. */
const policyNames = { automated: "automated", locked: "locked", ignored: "ignore" } as const;

function filterOf(actor: Actor, query: WorkloadQuery): WorkloadFilter {
  return {
    scope: scopeOf(actor),
    search: query.q,
    instanceIds: query.instance,
    namespaces: query.namespace,
    kinds: query.kind,
    health: query.health,
    policies: query.policy?.map((name) => policyNames[name]),
    newImages: query.newImages && true,
    hasProblem: query.problems && true,
  };
}

function answeredWorkload(stored: StoredWorkload): Workload {
  return {
    instance: { id: stored.instanceId, name: stored.instanceName, connected: stored.instanceConnected },
    id: stored.id,
    namespace: stored.namespace,
    kind: stored.kind,
    name: stored.name,
    status: stored.status,
    health: stored.health,
    ready: stored.ready,
    desired: stored.desired,
    automated: stored.automated,
    locked: stored.locked,
    ignored: stored.ignored,
    lockedReason: stored.lockedReason,
    readOnly: stored.readOnly,
    policies: { ...stored.policies },
    syncError: stored.syncError,
    containers: stored.containers.map((container) => ({ ...container })),
    newImages: stored.newImages,
    changedAt: answeredTime(stored.changedAt),
  };
}
