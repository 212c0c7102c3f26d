import { equalJson, type JsonValue } from "@weir/base";
import { type Selectable, sql } from "kysely";
import { Problem } from "../problem/problem.ts";
import { hasOneOf, isAmong } from "./filter.ts";
import type { JobState } from "./job-states.ts";
import { type Order, type Page, type PageRequest, readPage } from "./page.ts";
import type { Connection, JobKind, Tables } from "./schema.ts";
import { isWhollyWithin, type Scope } from "./scope.ts";
import { containingEach, storableJson, storableKey } from "./storable.ts";

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

/** What jobs can be sorted by; those that are alike in that by when they were requested. */
export type JobSort = "requestedAt" | "kind" | "state";

/** Which jobs to list; what isn't set doesn't matter. */
export interface JobFilter {
  readonly scope: Scope;
  readonly instanceIds?: readonly string[] | undefined;
  readonly states?: readonly JobState[] | undefined;
  /** Those of at least one of these. */
  readonly workloadIds?: readonly string[] | undefined;
  /** Words, each of which is somewhere in what people read of a job. */
  readonly search?: string | undefined;
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
      advice: "Use a new key for each request.",
    });
  }
  return job;
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

/** Where a job is, and of what; undefined if there's no such job. */
export async function findJobState(
  connection: Connection,
  id: string,
): Promise<Pick<Job, "state" | "namespaces"> | undefined> {
  return connection
    .selectFrom("jobs")
    .select(["state", "namespaces"])
    .where("id", "=", id)
    .executeTakeFirst();
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

/** What is read of a job. */
export const shown = [
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
  const columns = { instanceId: sql.ref<string>("instanceId"), namespaces: sql.ref<string[]>("namespaces") };
  const query = connection
    .selectFrom("jobs")
    .select(shown)
    .where(isWhollyWithin(filter.scope, columns))
    .where(isAmong("instanceId", filter.instanceIds))
    .where(isAmong("state", filter.states))
    .where(hasOneOf("workloadIds", filter.workloadIds));
  const words = containingEach(filter.search ?? "");
  if (words.length === 0) {
    return query;
  }
  return query.where(
    sql<boolean>`(
      summary || ' ' || requested_by_name || ' ' || array_to_string(workload_ids, ' ') || ' ' || revision || ' ' || error
    ) ilike all(${words}::text[])`,
  );
}
