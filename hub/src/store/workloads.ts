import { type Selectable, sql } from "kysely";
import { hasWords, isAmong } from "./filter.ts";
import { holdsLease, type Lease } from "./leases.ts";
import { type Order, type Page, type PageRequest, readPage } from "./page.ts";
import type { Connection, Tables } from "./schema.ts";
import { isWithin, type Scope } from "./scope.ts";
import { storableKey } from "./storable.ts";
import { inTransaction } from "./transaction.ts";
import { type NewWorkload, workloadRow } from "./workload-row.ts";

/** A workload as it's listed. */
export type StoredWorkload = Omit<
  Selectable<Tables["workloads"]>,
  "digest" | "words" | "search" | "policyNames" | "images"
> & {
  readonly instanceName: string;
  /** Whether its daemon is connected; if not, it's as it was when it last was. */
  readonly instanceConnected: boolean;
};

/** What workloads can be sorted by. By health means: what works least comes first. */
export type WorkloadSort = "namespace" | "health" | "newImages" | "changedAt";

/** Which workloads to list; what isn't set doesn't matter. */
export interface WorkloadFilter {
  readonly scope: Scope;
  readonly instanceIds?: readonly string[] | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly health?: readonly string[] | undefined;
  /** The names of policies, all of which it has. */
  readonly policies?: readonly string[] | undefined;
  /** Whether a newer image is available. */
  readonly newImages?: boolean | undefined;
  /** Whether it's degraded, or its last sync failed. */
  readonly hasProblem?: boolean | undefined;
  readonly search?: string | undefined;
}

/** What a snapshot changed, by IDs of workloads. */
export interface SnapshotChange {
  readonly written: readonly string[];
  readonly removed: readonly string[];
}

/** How many rows one statement writes. */
const batch = 500;

/**
 * Makes the workloads of an instance those of a snapshot, and writes only what changed. Undefined if the connection that
 * the snapshot comes from doesn't have the lease any more; nothing is written then.
 */
export function replaceWorkloads(
  connection: Connection,
  lease: Pick<Lease, "instanceId" | "leaseId">,
  { workloads, now }: { readonly workloads: readonly NewWorkload[]; readonly now: number },
): Promise<SnapshotChange | undefined> {
  const { instanceId } = lease;
  const snapshot = new Map(
    workloads.map((each) => workloadRow(instanceId, each, now)).map((row) => [row.id, row] as const),
  );
  return inTransaction(connection, async (transaction) => {
    if (!(await holdsLease(transaction, lease))) {
      return undefined;
    }
    const stored = await transaction
      .selectFrom("workloads")
      .select(["id", "digest"])
      .where("instanceId", "=", instanceId)
      .execute();
    const digests = new Map(stored.map(({ id, digest }) => [id, digest]));
    const removed = [...digests.keys()].filter((id) => !snapshot.has(id));
    const written = [...snapshot.values()].filter(({ id, digest }) => digests.get(id) !== digest);
    if (removed.length > 0) {
      await transaction
        .deleteFrom("workloads")
        .where("instanceId", "=", instanceId)
        .where(sql<boolean>`id = any(${removed}::text[])`)
        .execute();
    }
    for (let start = 0; start < written.length; start += batch) {
      await writeRows(transaction, written.slice(start, start + batch));
    }
    await transaction
      .updateTable("instanceState")
      .set({ workloadsAt: new Date(now) })
      .where("instanceId", "=", instanceId)
      .execute();
    return { written: written.map(({ id }) => id), removed };
  });
}

/** A page of workloads. */
export function listWorkloads(
  connection: Connection,
  filter: WorkloadFilter,
  page: PageRequest<WorkloadSort>,
): Promise<Page<StoredWorkload>> {
  return readPage(shownOf(workloadsIn(connection, filter)), orders, page);
}

/** One workload; undefined if there's none, or it isn't in the scope. */
export async function findWorkload(
  connection: Connection,
  { instanceId, id }: { readonly instanceId: string; readonly id: string },
  scope: Scope,
): Promise<StoredWorkload | undefined> {
  return shownOf(workloadsIn(connection, { scope, instanceIds: [instanceId] }))
    .where("workloads.id", "=", storableKey(id))
    .executeTakeFirst();
}

/** What the workloads of a list can be narrowed down to, and how many would be left. */
export interface WorkloadFacets {
  readonly total: number;
  readonly namespaces: readonly Facet[];
  readonly kinds: readonly Facet[];
  readonly health: readonly Facet[];
}

/** A value, and how many workloads have it. */
export interface Facet {
  readonly value: string;
  readonly count: number;
}

/** The most values of one facet. */
const mostValues = 200;

/** Counts the workloads of a list: all of them, and by their most frequent values. */
export async function countWorkloads(
  connection: Connection,
  filter: WorkloadFilter,
): Promise<WorkloadFacets> {
  const rows = await workloadsIn(connection, filter)
    .select([
      "namespace",
      "workloads.kind",
      "health",
      sql<number>`count(*)`.as("count"),
      sql<number>`grouping(namespace, workloads.kind, health)`.as("group"),
    ])
    .groupBy(sql`grouping sets ((), (namespace), (workloads.kind), (health))`)
    .orderBy("count", "desc")
    .execute();
  // PostgreSQL sets a bit for each column that a row isn't grouped by, the first column the highest.
  const facet = (group: number, column: "namespace" | "kind" | "health"): readonly Facet[] =>
    rows
      .filter((row) => row.group === group)
      .slice(0, mostValues)
      .map((row) => ({ value: row[column], count: row.count }));
  return {
    total: rows.find(({ group }) => group === 0b111)?.count ?? 0,
    namespaces: facet(0b011, "namespace"),
    kinds: facet(0b101, "kind"),
    health: facet(0b110, "health"),
  };
}

type Row = ReturnType<typeof workloadRow>;

async function writeRows(transaction: Connection, rows: readonly Row[]): Promise<void> {
  await transaction
    .insertInto("workloads")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["instanceId", "id"]).doUpdateSet((row) => ({
        status: row.ref("excluded.status"),
        health: row.ref("excluded.health"),
        rollout: row.ref("excluded.rollout"),
        ready: row.ref("excluded.ready"),
        desired: row.ref("excluded.desired"),
        automated: row.ref("excluded.automated"),
        locked: row.ref("excluded.locked"),
        ignored: row.ref("excluded.ignored"),
        lockedReason: row.ref("excluded.lockedReason"),
        readOnly: row.ref("excluded.readOnly"),
        policies: row.ref("excluded.policies"),
        policyNames: row.ref("excluded.policyNames"),
        syncError: row.ref("excluded.syncError"),
        antecedent: row.ref("excluded.antecedent"),
        containers: row.ref("excluded.containers"),
        images: row.ref("excluded.images"),
        newImages: row.ref("excluded.newImages"),
        changedAt: row.ref("excluded.changedAt"),
        digest: row.ref("excluded.digest"),
        words: row.ref("excluded.words"),
      })),
    )
    .execute();
}

function workloadsIn(connection: Connection, filter: WorkloadFilter) {
  const { policies, newImages, hasProblem } = filter;
  const columns = {
    instanceId: sql.ref<string>("workloads.instanceId"),
    namespaces: sql<readonly string[]>`array[namespace]`,
  };
  let query = connection
    .selectFrom("workloads")
    .innerJoin("instances", "instances.id", "workloads.instanceId")
    .innerJoin("instanceState", "instanceState.instanceId", "workloads.instanceId")
    .where("instances.removedAt", "is", null)
    .where(isWithin(filter.scope, columns))
    .where(isAmong("workloads.instanceId", filter.instanceIds))
    .where(isAmong("namespace", filter.namespaces))
    .where(isAmong("workloads.kind", filter.kinds))
    .where(isAmong("health", filter.health))
    .where(hasWords(filter.search));
  if (policies !== undefined) {
    query = query.where(sql<boolean>`policy_names @> ${policies.map(storableKey)}::text[]`);
  }
  if (newImages !== undefined) {
    query = query.where("newImages", newImages ? ">" : "=", 0);
  }
  return hasProblem === undefined
    ? query
    : query.where(sql<boolean>`(workloads.health = 'degraded' or sync_error <> '') = ${hasProblem}`);
}

function shownOf(query: ReturnType<typeof workloadsIn>) {
  return query.select([
    "workloads.instanceId",
    "instances.name as instanceName",
    "instanceState.connected as instanceConnected",
    "workloads.id",
    "workloads.namespace",
    "workloads.kind",
    "workloads.name",
    "workloads.status",
    "workloads.health",
    "workloads.rollout",
    "workloads.ready",
    "workloads.desired",
    "workloads.automated",
    "workloads.locked",
    "workloads.ignored",
    "workloads.lockedReason",
    "workloads.readOnly",
    "workloads.policies",
    "workloads.syncError",
    "workloads.antecedent",
    "workloads.containers",
    "workloads.newImages",
    "workloads.changedAt",
  ]);
}

const unique = [sql`workloads.name`, sql`workloads.instance_id`, sql`workloads.id`];

const orders: Readonly<Record<WorkloadSort, Order>> = {
  namespace: [sql`namespace`, ...unique],
  health: [
    sql`array_position(array['degraded', 'progressing', 'unknown', 'healthy'], health::text)`,
    ...unique,
  ],
  newImages: [sql`new_images`, ...unique],
  changedAt: [sql`changed_at`, ...unique],
};
