/** What becomes of jobs, by the table of job-states.ts: each function takes one of its ways, or none if it isn't open. */
import type { JsonValue } from "@weir/base";
import { sql, type UpdateQueryBuilder, type UpdateResult } from "kysely";
import { Problem } from "../problem/problem.ts";
import { hasUpdated } from "./affected.ts";
import { newId } from "./ids.ts";
import { answerLimit, approvalLimit, queueLimit } from "./job-limits.ts";
import { type Transition, type TransitionName, transitions } from "./job-states.ts";
import { findRequestedJob, type Job, type NewJob, type Requester, shown } from "./jobs.ts";
import { holdsLease, type Lease } from "./leases.ts";
import type { Connection, Tables } from "./schema.ts";
import { storable, storableJson, storableKey, textLimits } from "./storable.ts";
import { inTransaction } from "./transaction.ts";

/** What a second person says about a job. */
export interface Decision {
  readonly id: string;
  readonly approved: boolean;
  /** Of the plan that was shown to this person. */
  readonly planDigest: string;
  readonly by: Requester;
  readonly comment: string;
}

/** How a job ended. */
export interface JobOutcome {
  readonly state: "succeeded" | "failed";
  readonly revision: string;
  readonly result: JsonValue;
  readonly error: string;
}

/**
 * Adds a job, unless the request was made before: then it resolves to that job. Throws a Problem if the key belongs to
 * another request, if the request is too large, or if the instance was removed.
 */
export async function createJob(connection: Connection, job: NewJob, now: number): Promise<Job> {
  const row = rowOf(job, now);
  return inTransaction(connection, async (transaction) => {
    await mustExist(transaction, job.instanceId);
    const added = await transaction
      .insertInto("jobs")
      .values(row)
      .onConflict((conflict) => conflict.columns(["instanceId", "idempotencyKey"]).doNothing())
      .returning(shown)
      .executeTakeFirst();
    if (added !== undefined) {
      return added;
    }
    const before = await findRequestedJob(transaction, job);
    if (before === undefined) {
      throw new Error("a job that kept another one from being added is gone");
    }
    return before;
  });
}

/**
 * Approves or rejects a job, as a second person. Throws a Problem if it doesn't wait for that, if it's this person's own,
 * or if its plan isn't the one that was shown.
 */
export function decideJob(connection: Connection, decision: Decision, now: number): Promise<Job> {
  return inTransaction(connection, async (transaction) => {
    const job = await transaction
      .selectFrom("jobs")
      .select(shown)
      .where("id", "=", storableKey(decision.id))
      .forUpdate()
      .executeTakeFirst();
    checkDecidable(job, decision);
    return move(transaction, decision.approved ? "approve" : "reject", now)
      .set({
        exact: true,
        decidedBy: decision.by.id,
        decidedByName: storable(decision.by.name, textLimits.line),
        decidedTokenId: decision.by.tokenId,
        decidedAt: new Date(now),
        decisionComment: storable(decision.comment, textLimits.message),
      })
      .where("id", "=", job.id)
      .returning(shown)
      .executeTakeFirstOrThrow();
  });
}

/**
 * Takes back a job that wasn't sent yet, or gives up one that was lost; resolves to it, or to undefined if it's neither.
 */
export async function cancelJob(connection: Connection, id: string, now: number): Promise<Job | undefined> {
  const key = storableKey(id);
  const cancelled = await move(connection, "cancel", now)
    .where("id", "=", key)
    .returning(shown)
    .executeTakeFirst();
  return (
    cancelled ??
    (await move(connection, "giveUp", now)
      .set({ error: unknownEnd })
      .where("id", "=", key)
      .returning(shown)
      .executeTakeFirst())
  );
}

/** Takes back all jobs of an instance that weren't sent yet; resolves to them. */
export async function cancelJobsOf(
  connection: Connection,
  instanceId: string,
  now: number,
): Promise<readonly Job[]> {
  return move(connection, "cancel", now).where("instanceId", "=", instanceId).returning(shown).execute();
}

/**
 * Cancels jobs that waited for too long, for a second person or for their daemon: of one instance, or of all. Resolves to
 * them.
 */
export async function expireJobs(
  connection: Connection,
  now: number,
  instanceId?: string,
): Promise<readonly Job[]> {
  const expired: Job[] = [];
  for (const [state, limit, error] of [
    ["waiting-for-approval", approvalLimit, "Nobody approved it in time."],
    ["queued", queueLimit, "Its daemon wasn't there in time."],
  ] as const) {
    const query = move(connection, "cancel", now)
      .set({ error })
      .where("state", "=", state)
      .where(sql<boolean>`coalesce(decided_at, requested_at) < ${new Date(now - limit)}`);
    const ofOne = instanceId === undefined ? query : query.where("instanceId", "=", instanceId);
    expired.push(...(await ofOne.returning(shown).execute()));
  }
  return expired;
}

/**
 * Ends jobs of daemons that are away for too long to say what became of them; resolves to these, which stay lost.
 */
export function giveUpJobsOfAbsent(connection: Connection, now: number): Promise<readonly Job[]> {
  return move(connection, "abandon", now)
    .set({ error: unknownEnd })
    .where(sql<boolean>`coalesce(sent_at, requested_at) < ${new Date(now - answerLimit)}`)
    .where(
      sql<boolean>`exists (
        select from instance_state where instance_state.instance_id = jobs.instance_id and not instance_state.connected
      )`,
    )
    .returning(shown)
    .execute();
}

/** Ends a lost job of which there's no sign; false if it isn't lost any more. */
export async function giveUpJob(connection: Connection, id: string, now: number): Promise<boolean> {
  return hasUpdated(move(connection, "giveUp", now).set({ error: unknownEnd }).where("id", "=", id));
}

/**
 * Takes the oldest job of an instance that waits to be sent: from now on it counts as sent, and nobody else gets it. With
 * `named`, the daemon will know it by its own ID, so that it can be asked about it whatever happens in between. Undefined
 * if there's none, or if this connection doesn't have the lease any more.
 */
export function claimJob(
  connection: Connection,
  lease: Lease,
  { now, named = false }: { readonly now: number; readonly named?: boolean },
): Promise<Job | undefined> {
  return inTransaction(connection, async (transaction) => {
    if (!(await holdsLease(transaction, lease))) {
      return undefined;
    }
    const next = transaction
      .selectFrom("jobs")
      .select("id")
      .where("instanceId", "=", lease.instanceId)
      .where("state", "=", "queued")
      .orderBy("id")
      .limit(1)
      .forUpdate();
    return move(transaction, "claim", now)
      .set({ claimedBy: lease.consoleId, leaseId: lease.leaseId, sentAt: new Date(now) })
      .set((expressions) => ({ daemonJobId: named ? expressions.ref("id") : "" }))
      .where("id", "=", next)
      .returning(shown)
      .executeTakeFirst();
  });
}

/** Gives back a job that was claimed and not sent; false if it has gone on meanwhile. */
export async function releaseJob(connection: Connection, id: string, lease: Lease): Promise<boolean> {
  return hasUpdated(
    move(connection, "release")
      .set({ claimedBy: null, leaseId: null, sentAt: null, daemonJobId: "" })
      .where("id", "=", id)
      .where("leaseId", "=", lease.leaseId),
  );
}

/** Notes that the daemon took a job, and by which ID it knows it; false if nobody waits for that. */
export async function acceptJob(
  connection: Connection,
  { id, daemonJobId }: { readonly id: string; readonly daemonJobId: string },
): Promise<boolean> {
  return hasUpdated(
    move(connection, "accept")
      .set({ daemonJobId: storableKey(daemonJobId) })
      .where("id", "=", id),
  );
}

/** Notes how a job ended; false if it wasn't sent, or had ended already. */
export async function endJob(
  connection: Connection,
  { id, state, revision, result, error }: JobOutcome & { readonly id: string },
  now: number,
): Promise<boolean> {
  return hasUpdated(
    move(connection, state === "succeeded" ? "succeed" : "fail", now)
      .set({
        revision: storableKey(revision),
        result: storableJson(result),
        error: storable(error, textLimits.message),
      })
      .where("id", "=", id),
  );
}

/**
 * Calls the jobs of an instance lost that were sent over a connection that doesn't have its lease any more, and were
 * never answered; resolves to them. They may have been done, so that they're looked for and not sent again.
 */
export async function loseUnansweredJobs(
  connection: Connection,
  instanceId: string,
): Promise<readonly Job[]> {
  return move(connection, "miss")
    .where("instanceId", "=", instanceId)
    .where(
      sql<boolean>`not exists (
        select from instance_state where instance_state.instance_id = jobs.instance_id and instance_state.lease_id = jobs.lease_id
      )`,
    )
    .returning(shown)
    .execute();
}

/** Calls a running job lost, because its daemon doesn't know it any more; false if it isn't running. */
export async function loseJob(connection: Connection, id: string): Promise<boolean> {
  return hasUpdated(move(connection, "forget").where("id", "=", id));
}

function rowOf(job: NewJob, now: number) {
  const [request, spec, plan] = [job.request, job.spec, job.plan].map(storableJson);
  if (typeof request !== "string" || typeof spec !== "string" || typeof plan !== "string") {
    throw new Problem("invalid", "The request is too large.", {
      advice: "Change fewer workloads at a time.",
    });
  }
  return {
    id: newId(now),
    instanceId: job.instanceId,
    idempotencyKey: storableKey(job.idempotencyKey),
    kind: job.kind,
    state: job.needsApproval ? "waiting-for-approval" : "queued",
    request,
    spec,
    workloadIds: job.workloadIds.map(storableKey),
    namespaces: job.namespaces.map(storableKey),
    summary: storable(job.summary, textLimits.line),
    plan,
    planDigest: storableKey(job.planDigest),
    exact: job.exact,
    requestedBy: job.requestedBy.id,
    requestedByName: storable(job.requestedBy.name, textLimits.line),
    requestedTokenId: job.requestedBy.tokenId,
    requestedAt: new Date(now),
    decidedByName: "",
    decisionComment: "",
    daemonJobId: "",
    revision: "",
    error: "",
  } as const;
}

/** Nobody knows, and will know, what became of a job. */
const unknownEnd = "Nobody knows what became of it. It may have been done: look before you request it again.";

/** Lets jobs take a way of the table, of those from which it leads on; which ones is for the caller to say. */
function move(connection: Connection, name: Exclude<TransitionName, EndingName>): Moving;
function move(connection: Connection, name: TransitionName, now: number): Moving;
function move(connection: Connection, name: TransitionName, now = 0): Moving {
  const { from, to, ends }: Transition = transitions[name];
  return connection
    .updateTable("jobs")
    .set({ state: to, ...(ends ? { endedAt: new Date(now) } : {}) })
    .where("state", "in", from)
    .where("endedAt", "is", null);
}

type Moving = UpdateQueryBuilder<Tables, "jobs", "jobs", UpdateResult>;

type EndingName = {
  [Name in TransitionName]: (typeof transitions)[Name] extends { readonly ends: true } ? Name : never;
}[TransitionName];

/** Nobody can remove the instance until the transaction ends. */
async function mustExist(transaction: Connection, instanceId: string): Promise<void> {
  const instance = await transaction
    .selectFrom("instances")
    .select("id")
    .where("id", "=", storableKey(instanceId))
    .where("removedAt", "is", null)
    .forShare()
    .executeTakeFirst();
  if (instance === undefined) {
    throw new Problem("not-found", "There's no such instance.", {
      advice: "It was removed: look at the list of instances.",
    });
  }
}

/** Throws a Problem if somebody can't decide about a job. */
export function checkDecidable(
  job: Job | undefined,
  { planDigest, by }: Pick<Decision, "planDigest" | "by">,
): asserts job is Job {
  if (job === undefined) {
    throw new Problem("not-found", "There is no such job.", { advice: "Look for it in the list of jobs." });
  }
  if (job.state !== "waiting-for-approval") {
    throw new Problem("conflict", `The job doesn't wait for approval: it is ${job.state}.`, {
      advice: "Look at the job again.",
    });
  }
  if (job.requestedBy === by.id) {
    throw new Problem("refused", "You requested this job yourself.", { advice: "Ask a second person." });
  }
  if (job.planDigest !== planDigest) {
    throw new Problem("conflict", "The plan of the job isn't the one that you saw.", {
      advice: "Look at the plan again.",
    });
  }
}
