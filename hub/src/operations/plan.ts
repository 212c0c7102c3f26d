import { decodeUpdateSpec } from "@weir/flux";
import { decodeUndoRequest } from "@weir/flux/api";
import type { Actor } from "../access/actor.ts";
import type { JobSpec, Plan } from "../contract/jobs.ts";
import { needsApproval } from "../store/approval-rules.ts";
import type { Job } from "../store/jobs.ts";
import type { Connection, RoleName } from "../store/schema.ts";
import { askDaemon, dryRunTimeLimit } from "./ask.ts";
import type { Handlers } from "./call.ts";
import type { OperationOptions } from "./options.ts";
import { planPolicies } from "./plan-policies.ts";
import { type DryRun, planPinned, planRelease } from "./plan-release.ts";
import { planSync } from "./plan-sync.ts";
import { planTakeOver } from "./plan-take-over.ts";
import { planUndo } from "./plan-undo.ts";
import { digestOf, type Planned } from "./planned.ts";
import { type Reach, requireRole } from "./rights.ts";
import { namespacesOf, workloadsNamed } from "./touched.ts";

/** Says what jobs would do, by asking daemons for dry runs. */
export function planHandlers(options: OperationOptions): Pick<Handlers, "plan"> {
  return {
    plan: async ({ actor, path: { instance: instanceId }, body, signal }) => {
      requireNamed(actor, "viewer", { instanceId, spec: body });
      const planned = await planJob({ ...options, instanceId, signal }, body);
      requireRole(actor, "viewer", reachOf(instanceId, planned));
      return answeredPlan(options.database.connection, instanceId, planned);
    },
  };
}

/** Throws a Problem unless somebody has a role for everything that a request names. What else it changes, its plan says. */
export function requireNamed(actor: Actor, role: RoleName, { instanceId, spec }: Requested): void {
  const namespaces = namedNamespaces(spec);
  if (namespaces !== undefined) {
    requireRole(actor, role, { instanceId, namespaces });
  }
}

/** A request for an instance. */
interface Requested {
  readonly instanceId: string;
  readonly spec: JobSpec;
}

/** The namespaces that a request names, or none for the whole instance; undefined if only its plan can say. */
export function namedNamespaces(spec: JobSpec): readonly string[] | undefined {
  switch (spec.kind) {
    case "release":
    case "policy":
      return namespacesOf(workloadsNamed(spec.workloads));
    case "take-over":
      return namespacesOf(workloadsNamed(spec.ids));
    case "sync":
      return [];
    case "undo":
      return undefined;
  }
}

/** Everything that a plan has to do with. */
export function reachOf(instanceId: string, { touches }: Planned): Reach {
  return { instanceId, namespaces: touches === undefined ? [] : namespacesOf(touches) };
}

type Planning = Omit<Parameters<typeof askDaemon>[0], "timeLimit">;

/** Finds out what a request would do. Rejects with a Problem if that can't be found out, or can't be done at all. */
export function planJob(planning: Planning, spec: JobSpec): Promise<Planned> {
  return askDaemon({ ...planning, timeLimit: dryRunTimeLimit }, (daemon, signal) => {
    const dryRun: DryRun = { daemon, clock: planning.clock, signal };
    switch (spec.kind) {
      case "release":
        return planRelease(spec, dryRun);
      case "policy":
        return planPolicies(spec, daemon, signal);
      case "sync":
        return planSync(daemon, signal);
      case "undo":
        return planUndo(spec, daemon, signal);
      case "take-over":
        return planTakeOver(spec, dryRun);
    }
  });
}

/** Finds out again what a job would do: exactly what it would be sent with, not what its request would find now. */
export function planAgain(
  planning: Planning,
  { spec, request }: Pick<Job, "spec"> & { readonly request: JobSpec },
): Promise<Planned> {
  if (request.kind === "undo") {
    return planJob(planning, { kind: "undo", revision: decodeUndoRequest(spec).commit });
  }
  const update = decodeUpdateSpec(spec);
  if (update.type !== "containers") {
    return planJob(planning, request);
  }
  const pins = new Map([...(update.spec.containers ?? [])].map(([id, updates]) => [id, updates ?? []]));
  return askDaemon({ ...planning, timeLimit: dryRunTimeLimit }, (daemon, signal) =>
    planPinned({ pins, force: update.spec.force }, { daemon, clock: planning.clock, signal }),
  );
}

/** A plan as it's answered, and stored. */
export async function answeredPlan(
  connection: Connection,
  instanceId: string,
  planned: Planned,
): Promise<Plan> {
  return {
    digest: digestOf(instanceId, planned.substance),
    changes: planned.changes,
    isKnown: planned.isKnown,
    needsApproval: await needsApproval(connection, reachOf(instanceId, planned)),
  };
}
