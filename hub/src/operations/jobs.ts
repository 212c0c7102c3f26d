import type { JsonObject } from "@weir/base";
import { type Actor, scopeOf } from "../access/actor.ts";
import { type Job as AnsweredJob, type JobSpec, jobSpec, plan as planForm } from "../contract/jobs.ts";
import { Problem } from "../problem/problem.ts";
import { instanceNames } from "../store/instances.ts";
import { cancelJob, checkDecidable, createJob, decideJob } from "../store/job-lifecycle.ts";
import { findJob, findRequestedJob, type Job, listJobs, type Requester } from "../store/jobs.ts";
import type { Connection } from "../store/schema.ts";
import type { AuditNote, Handlers } from "./call.ts";
import { type OperationOptions, tell } from "./options.ts";
import { answeredPage, answeredTime, pageRequest } from "./page.ts";
import { answeredPlan, planAgain, planJob, reachOf, requireNamed } from "./plan.ts";
import { digestOf } from "./planned.ts";
import { requireRole } from "./rights.ts";
import { summaryOf } from "./summary.ts";

/** Requests jobs, and decides about them; the hub sends them. */
export function jobHandlers(
  options: OperationOptions,
): Pick<Handlers, "createJob" | "jobs" | "job" | "decideJob" | "cancelJob"> {
  const { database, clock } = options;
  const { connection } = database;
  return {
    createJob: async ({ actor, path: { instance: instanceId }, body, signal, audit }) => {
      const { spec, idempotencyKey, planDigest } = body;
      requireNamed(actor, "operator", { instanceId, spec });
      const requested = { instanceId, idempotencyKey, request: asJson(spec) };
      const before = await findRequestedJob(connection, requested);
      if (before !== undefined) {
        requireRole(actor, "operator", before);
        return answeredJob(connection, before);
      }
      const planned = await planJob({ ...options, instanceId, signal }, spec);
      const reach = reachOf(instanceId, planned);
      requireRole(actor, "operator", reach);
      if (planned.obstacle !== "") {
        throw new Problem("refused", `There's nothing to do: ${planned.obstacle}.`, {
          advice: "Look at the plan, and request something else.",
        });
      }
      const plan = await answeredPlan(connection, instanceId, planned);
      if (planDigest !== "" && planDigest !== plan.digest) {
        throw changed("since you saw the plan");
      }
      const job = await database.transaction(async (transaction) => {
        const created = await createJob(
          transaction,
          {
            ...{ ...requested, kind: spec.kind, summary: summaryOf(spec) },
            spec: planned.toSpec({ user: actor.name, message: messageIn(spec) }),
            ...{ workloadIds: [...(planned.touches ?? [])], namespaces: reach.namespaces },
            ...{ plan: asJson(plan), planDigest: plan.digest, needsApproval: plan.needsApproval },
            exact: planDigest !== "",
            requestedBy: requesterOf(actor),
          },
          clock.now(),
        );
        await tellOf(options, transaction, created);
        return created;
      });
      audit(noteOf(job));
      return answeredJob(connection, job);
    },
    jobs: async ({ actor, query }) => {
      const { instance: instanceIds, state: states, workload: workloadIds, q: search, ...page } = query;
      const found = await listJobs(
        connection,
        { scope: scopeOf(actor), instanceIds, states, workloadIds, search },
        pageRequest(page, sorts),
      );
      const names = await instanceNames(
        connection,
        found.items.map(({ instanceId }) => instanceId),
      );
      return answeredPage(found, (job) => shownJob(job, names.get(job.instanceId) ?? ""));
    },
    job: async ({ actor, path }) => answeredJob(connection, await visibleJob(connection, actor, path.job)),
    decideJob: async ({ actor, path, body, signal, audit }) => {
      const job = await visibleJob(connection, actor, path.job);
      audit({ ...noteOf(job), detail: { job: job.id, decision: body.decision } });
      requireRole(actor, "operator", job);
      const decision = {
        ...{ id: job.id, approved: body.decision === "approve", planDigest: body.planDigest },
        ...{ by: requesterOf(actor), comment: body.comment },
      };
      checkDecidable(job, decision);
      if (decision.approved) {
        const asked = { ...options, instanceId: job.instanceId, signal };
        const planned = await planAgain(asked, { spec: job.spec, request: jobSpec.parse(job.request) });
        if (digestOf(job.instanceId, planned.substance) !== job.planDigest) {
          throw changed("since it was requested");
        }
      }
      const decided = await database.transaction(async (transaction) => {
        const after = await decideJob(transaction, decision, clock.now());
        await tellOf(options, transaction, after);
        return after;
      });
      return answeredJob(connection, decided);
    },
    cancelJob: async ({ actor, path, audit }) => {
      const job = await visibleJob(connection, actor, path.job);
      audit(noteOf(job));
      requireRole(actor, "operator", job);
      const cancelled = await database.transaction(async (transaction) => {
        const after = await cancelJob(transaction, job.id, clock.now());
        if (after === undefined) {
          throw new Problem("conflict", "The job can't be cancelled any more.", {
            advice: "Look at the job again; what it did can be undone.",
          });
        }
        await tellOf(options, transaction, after);
        return after;
      });
      return answeredJob(connection, cancelled);
    },
  };
}

const sorts = {
  requestedAt: ["requestedAt", "ascending"],
  "-requestedAt": ["requestedAt", "descending"],
  kind: ["kind", "ascending"],
  "-kind": ["kind", "descending"],
  state: ["state", "ascending"],
  "-state": ["state", "descending"],
} as const;

function requesterOf({ kind, userId: id, name, credentialId }: Actor): Requester {
  return { id, name, tokenId: kind === "token" ? credentialId : null };
}

/** What the audit log says of a job. */
function noteOf({ id, instanceId, kind, namespaces, summary }: Job): AuditNote {
  const [namespace] = namespaces;
  return {
    ...{ instanceId, subject: summary, detail: { job: id, kind } },
    ...(namespace === undefined || namespaces.length > 1 ? {} : { namespace }),
  };
}

function changed(when: string): Problem {
  return new Problem("conflict", `What the job would do has changed ${when}.`, {
    advice: "Look at a new plan, and request the job again.",
  });
}

/** The daemon's reason for a commit; "" lets the daemon say what it did. */
function messageIn(spec: JobSpec): string {
  switch (spec.kind) {
    case "release":
      return spec.message;
    case "policy":
      return spec.reason;
    case "take-over":
      return summaryOf(spec);
    case "sync":
    case "undo":
      return "";
  }
}

/** Only what JSON has: no fields that are undefined. */
function asJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

function tellOf(options: OperationOptions, transaction: Connection, { id, instanceId }: Job): Promise<void> {
  return tell(options, transaction, { topic: "jobs", of: { instanceId, jobId: id } });
}

async function visibleJob(connection: Connection, actor: Actor, id: string): Promise<Job> {
  const job = await findJob(connection, id, scopeOf(actor));
  if (job === undefined) {
    throw new Problem("not-found", "There's no such job.", {
      advice: "Look at the list of jobs; old ones are deleted after a while.",
    });
  }
  return job;
}

async function answeredJob(connection: Connection, job: Job): Promise<AnsweredJob> {
  const names = await instanceNames(connection, [job.instanceId]);
  return shownJob(job, names.get(job.instanceId) ?? "");
}

function shownJob(stored: Job, instanceName: string): AnsweredJob {
  return {
    id: stored.id,
    instance: { id: stored.instanceId, name: instanceName },
    kind: stored.kind,
    state: stored.state,
    summary: stored.summary,
    spec: jobSpec.parse(stored.request),
    plan: planForm.nullable().parse(stored.plan),
    requestedBy: stored.requestedByName,
    requestedAt: answeredTime(stored.requestedAt),
    decidedBy: stored.decidedByName,
    decidedAt: answeredTime(stored.decidedAt),
    decisionComment: stored.decisionComment,
    endedAt: answeredTime(stored.endedAt),
    revision: stored.revision,
    error: stored.error,
  };
}
