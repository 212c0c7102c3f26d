import { equalJson, type JsonValue } from "@weir/base";
import { type Selectable, sql } from "kysely";
import { Problem } from "../problem/problem.ts";
import { newId } from "./ids.ts";
import { answerLimit, approvalLimit, queueLimit } from "./job-limits.ts";
import { holdsLease, type Lease } from "./leases.ts";
import { type Order, type Page, type PageRequest, readPage } from "./page.ts";
import type { Connection, JobKind, JobState, Tables } from "./schema.ts";
import { isWhollyWithin, type Scope } from "./scope.ts";
import { containingEach, storable, storableJson, storableKey, textLimits } from "./text.ts";
import { inTransaction } from "./transaction.ts";

/** A job as it was stored. */
export type Job = Omit<Selectable<Tables["jobs"]>, "idempotencyKey">;

/** Who requests or decides something. */
export interface Requester {
  readonly id: string | null;
  readonly name: string;
  /** Of the API token with which they do; null if they're logged in. */
  readonly tokenId: string | null;
}

/** What somebody asks a daemon to do. */
export interface NewJob {
  readonly instanceId: string;
  /** The same for a request that is sent again after its answer was lost. */
  readonly idempotencyKey: string;
  readonly kind: JobKind;
  /** What was asked for. */
  readonly request: JsonValue;
  /** What the daemon is sent: exactly what was planned for the request. */
  readonly spec: JsonValue;
  readonly workloadIds: readonly string[];
  /** Of everything that it changes; none if that's not limited to namespaces. */
  readonly namespaces: readonly string[];
  /** What it does, in a line. */
  readonly summary: string;
  /** What was shown of it beforehand, and its digest; null and "" if nothing was. */
  readonly plan: JsonValue;
  readonly planDigest: string;
  /** True if it's to do what its plan says, or nothing; what is approved always is. */
  readonly exact: boolean;
  readonly needsApproval: boolean;
  readonly requestedBy: Requester;
}

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

/** What jobs can be sorted by; those that are alike in that by when they were requested. */
export type JobSort = "requestedAt" | "kind" | "state";

/** Which jobs to list; what isn't set doesn't matter. */
export interface JobFilter {
  readonly scope: Scope;
  readonly instanceIds?: readonly string[] | undefined;
  readonly states?: readonly JobState[] | undefined;
  readonly kinds?: readonly JobKind[] | undefined;
  /** Those of at least one of these. */
  readonly workloadIds?: readonly string[] | undefined;
  readonly requestedBy?: string | undefined;
  /** Words, each of which is somewhere in what people read of a job. */
  readonly search?: string | undefined;
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

/** The job of a request that was made before, if there's one. Throws a Problem if the key belongs to another request. */
export async function findRequestedJob(
  connection: Connection,
  { instanceId, idempotencyKey, request }: Pick<NewJob, "instanceId" | "idempotencyKey" | "request">,
): Promise<Job | undefined> {
  const job = await connection
    .selectFrom("jobs")
    .select(shown)
    .where("instanceId", "=", storableKey(instanceId))
    .where("idempotencyKey", "=", storableKey(idempotencyKey))
    .executeTakeFirst();
  if (
    job !== undefined &&
    !equalJson(job.request, JSON.parse(storableJson(request) ?? "null") as JsonValue)
  ) {
    throw new Problem("conflict", "Another request was made with this idempotency key.", {
      remedy: "Use a new key for each request.",
    });
  }
  return job;
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
    return transaction
      .updateTable("jobs")
      .set({
        state: decision.approved ? "queued" : "rejected",
        exact: true,
        decidedBy: decision.by.id,
        decidedByName: storable(decision.by.name, textLimits.line),
        decidedTokenId: decision.by.tokenId,
        decidedAt: new Date(now),
        decisionComment: storable(decision.comment, textLimits.message),
        endedAt: decision.approved ? null : new Date(now),
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
  const cancelled = await cancelling(connection, now)
    .where("id", "=", key)
    .returning(shown)
    .executeTakeFirst();
  return (
    cancelled ??
    (await givingUp(connection, now)
      .where("id", "=", key)
      .where("state", "=", "lost")
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
  return cancelling(connection, now).where("instanceId", "=", instanceId).returning(shown).execute();
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
    const query = connection
      .updateTable("jobs")
      .set({ state: "cancelled", endedAt: new Date(now), error })
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
  return givingUp(connection, now)
    .where("state", "in", ["sent", "running", "lost"])
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
  const { numUpdatedRows } = await givingUp(connection, now)
    .where("id", "=", id)
    .where("state", "=", "lost")
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
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
    return transaction
      .updateTable("jobs")
      .set({ state: "sent", claimedBy: lease.consoleId, leaseId: lease.leaseId, sentAt: new Date(now) })
      .set((expressions) => ({ daemonJobId: named ? expressions.ref("id") : "" }))
      .where("id", "=", next)
      .returning(shown)
      .executeTakeFirst();
  });
}

/** Gives back a job that was claimed and not sent; false if it has gone on meanwhile. */
export async function releaseJob(connection: Connection, id: string, lease: Lease): Promise<boolean> {
  const { numUpdatedRows } = await connection
    .updateTable("jobs")
    .set({ state: "queued", claimedBy: null, leaseId: null, sentAt: null, daemonJobId: "" })
    .where("id", "=", id)
    .where("state", "=", "sent")
    .where("leaseId", "=", lease.leaseId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Of these revisions, those that jobs of an instance made, as far as that's known. */
export async function revisionsOfJobs(
  connection: Connection,
  instanceId: string,
  revisions: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await connection
    .selectFrom("jobs")
    .select("revision")
    .where("instanceId", "=", instanceId)
    .where(sql<boolean>`revision = any(${revisions}::text[])`)
    .execute();
  return new Set(rows.map(({ revision }) => revision));
}

/** Notes that the daemon took a job, and by which ID it knows it; false if nobody waits for that. */
export async function acceptJob(
  connection: Connection,
  { id, daemonJobId }: { readonly id: string; readonly daemonJobId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await connection
    .updateTable("jobs")
    .set({ state: "running", daemonJobId: storableKey(daemonJobId) })
    .where("id", "=", id)
    .where("state", "in", ["sent", "lost"])
    .where("endedAt", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Notes how a job ended; false if it wasn't sent, or had ended already. */
export async function endJob(
  connection: Connection,
  { id, state, revision, result, error }: JobOutcome & { readonly id: string },
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await connection
    .updateTable("jobs")
    .set({
      state,
      revision: storableKey(revision),
      result: storableJson(result),
      error: storable(error, textLimits.message),
      endedAt: new Date(now),
    })
    .where("id", "=", id)
    .where("state", "in", ["sent", "running", "lost"])
    .where("endedAt", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Calls the jobs of an instance lost that were sent over a connection that doesn't have its lease any more, and were
 * never answered; resolves to them. They may have been done, so that they're looked for and not sent again.
 */
export async function loseUnansweredJobs(
  connection: Connection,
  instanceId: string,
): Promise<readonly Job[]> {
  return connection
    .updateTable("jobs")
    .set({ state: "lost" })
    .where("instanceId", "=", instanceId)
    .where("state", "=", "sent")
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
  const { numUpdatedRows } = await connection
    .updateTable("jobs")
    .set({ state: "lost" })
    .where("id", "=", id)
    .where("state", "=", "running")
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The jobs of an instance that the daemon may be doing, the oldest first. */
export function listOpenJobs(connection: Connection, instanceId: string): Promise<readonly Job[]> {
  return connection
    .selectFrom("jobs")
    .select(shown)
    .where("instanceId", "=", instanceId)
    .where("state", "in", ["sent", "running", "lost"])
    .where("endedAt", "is", null)
    .orderBy("id")
    .execute();
}

/** The instances that have jobs that haven't ended. */
export async function instancesWithOpenJobs(connection: Connection): Promise<readonly string[]> {
  const rows = await connection
    .selectFrom("jobs")
    .select("instanceId")
    .distinct()
    .where("endedAt", "is", null)
    .execute();
  return rows.map(({ instanceId }) => instanceId);
}

/** One job; undefined if there's none, or it isn't in the scope. */
export async function findJob(connection: Connection, id: string, scope: Scope): Promise<Job | undefined> {
  return jobsIn(connection, { scope }).where("id", "=", storableKey(id)).executeTakeFirst();
}

/** A page of jobs. */
export function listJobs(
  connection: Connection,
  filter: JobFilter,
  page: PageRequest<JobSort>,
): Promise<Page<Job>> {
  return readPage(jobsIn(connection, filter), orders, page);
}

const shown = [
  "id",
  "instanceId",
  "kind",
  "request",
  "state",
  "spec",
  "workloadIds",
  "namespaces",
  "summary",
  "plan",
  "planDigest",
  "exact",
  "requestedBy",
  "requestedByName",
  "requestedTokenId",
  "requestedAt",
  "decidedBy",
  "decidedByName",
  "decidedTokenId",
  "decidedAt",
  "decisionComment",
  "claimedBy",
  "leaseId",
  "sentAt",
  "daemonJobId",
  "endedAt",
  "revision",
  "result",
  "error",
] as const;

const newest = [sql`requested_at`, sql`id`];

const orders: Readonly<Record<JobSort, Order>> = {
  requestedAt: newest,
  kind: [sql`kind`, ...newest],
  state: [sql`state`, ...newest],
};

function jobsIn(connection: Connection, filter: JobFilter) {
  const { instanceIds, states, kinds, workloadIds, requestedBy, search = "" } = filter;
  const columns = { instanceId: sql.ref<string>("instanceId"), namespaces: sql.ref<string[]>("namespaces") };
  let query = connection.selectFrom("jobs").select(shown).where(isWhollyWithin(filter.scope, columns));
  if (instanceIds !== undefined) {
    query = query.where(sql<boolean>`instance_id = any(${instanceIds.map(storableKey)}::text[])`);
  }
  if (states !== undefined) {
    query = query.where(sql<boolean>`state = any(${states}::text[])`);
  }
  if (kinds !== undefined) {
    query = query.where(sql<boolean>`kind = any(${kinds}::text[])`);
  }
  if (workloadIds !== undefined) {
    query = query.where(sql<boolean>`workload_ids && ${workloadIds.map(storableKey)}::text[]`);
  }
  const words = containingEach(search);
  if (words.length > 0) {
    query = query.where(
      sql<boolean>`(
        summary || ' ' || requested_by_name || ' ' || array_to_string(workload_ids, ' ') || ' ' || revision || ' ' || error
      ) ilike all(${words}::text[])`,
    );
  }
  return requestedBy === undefined ? query : query.where("requestedBy", "=", storableKey(requestedBy));
}

function rowOf(job: NewJob, now: number) {
  const [request, spec, plan] = [job.request, job.spec, job.plan].map(storableJson);
  if (typeof request !== "string" || typeof spec !== "string" || typeof plan !== "string") {
    throw new Problem("invalid", "The request is too large.", {
      remedy: "Change fewer workloads at a time.",
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

function cancelling(connection: Connection, now: number) {
  return connection
    .updateTable("jobs")
    .set({ state: "cancelled", endedAt: new Date(now) })
    .where("state", "in", ["waiting-for-approval", "queued"]);
}

/** Nobody knows, and will know, what became of a job. */
function givingUp(connection: Connection, now: number) {
  const error = "Nobody knows what became of it. It may have been done: look before you request it again.";
  return connection
    .updateTable("jobs")
    .set({ state: "lost", endedAt: new Date(now), error })
    .where("endedAt", "is", null);
}

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
      remedy: "It was removed: look at the list of instances.",
    });
  }
}

/** Throws a Problem if somebody can't decide about a job. */
export function checkDecidable(
  job: Job | undefined,
  { planDigest, by }: Pick<Decision, "planDigest" | "by">,
): asserts job is Job {
  if (job === undefined) {
    throw new Problem("not-found", "There is no such job.", { remedy: "Look for it in the list of jobs." });
  }
  if (job.state !== "waiting-for-approval") {
    throw new Problem("conflict", `The job doesn't wait for approval: it is ${job.state}.`, {
      remedy: "Look at the job again.",
    });
  }
  if (job.requestedBy === by.id) {
    throw new Problem("refused", "You requested this job yourself.", { remedy: "Ask a second person." });
  }
  if (job.planDigest !== planDigest) {
    throw new Problem("conflict", "The plan of the job isn't the one that you saw.", {
      remedy: "Look at the plan again.",
    });
  }
}
