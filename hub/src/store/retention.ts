import { sql } from "kysely";
import type { Database } from "./database.ts";
import type { Connection } from "./schema.ts";
import { inTransaction } from "./transaction.ts";

/** For how many days things are kept after they ended. */
export interface Retention {
  readonly events: number;
  readonly jobs: number;
  readonly notifications: number;
  readonly audit: number;
  /** Instances that were removed, with everything that belongs to them. */
  readonly removedInstances: number;
}

/** How many rows of each table were deleted; tables of which none were aren't in it. */
export type Deleted = Readonly<Record<string, number>>;

const minute = 60_000;
const day = 24 * 60 * minute;

/** How many rows one statement deletes, so that none takes long. */
const batch = 2_000;

/**
 * Deletes what was kept for long enough, and what has expired. Several consoles can do it at the same time. An embedded
 * database is also tidied up, which a server does by itself.
 */
export async function deleteOld(
  database: Database,
  { retention, now }: { readonly retention: Retention; readonly now: number },
  signal: AbortSignal,
): Promise<Deleted> {
  const deleted: Record<string, number> = {};
  for (const rule of rulesFor(retention, now)) {
    const count = await deleteAll(database.connection, rule, signal);
    if (count > 0) {
      deleted[rule.table] = count;
    }
  }
  if (database.kind === "pglite") {
    await sql`vacuum analyze`.execute(database.connection);
  }
  return deleted;
}

/** Of which table the rows are deleted whose time, in one of its columns, is before another. */
interface Rule {
  readonly table: string;
  readonly column: string;
  readonly before: Date;
}

function rulesFor(retention: Retention, now: number): readonly Rule[] {
  const ago = (ms: number): Date => new Date(now - ms);
  return [
    { table: "events", column: "received_at", before: ago(retention.events * day) },
    { table: "jobs", column: "ended_at", before: ago(retention.jobs * day) },
    { table: "notification_outbox", column: "ended_at", before: ago(retention.notifications * day) },
    { table: "audit", column: "at", before: ago(retention.audit * day) },
    { table: "instances", column: "removed_at", before: ago(retention.removedInstances * day) },
    { table: "sessions", column: "expires_at", before: ago(0) },
    { table: "oidc_logins", column: "expires_at", before: ago(0) },
    { table: "invitations", column: "expires_at", before: ago(30 * day) },
    { table: "rate_limits", column: "updated_at", before: ago(day) },
    // Whoever hasn't read a message by now has learned of a gap.
    { table: "bus_payloads", column: "created_at", before: ago(10 * minute) },
  ];
}

async function deleteAll(connection: Connection, rule: Rule, signal: AbortSignal): Promise<number> {
  let sum = 0;
  for (let count = batch; count === batch; sum += count) {
    signal.throwIfAborted();
    count = await deleteSome(connection, rule);
  }
  return sum;
}

async function deleteSome(connection: Connection, { table, column, before }: Rule): Promise<number> {
  const [from, time] = [sql.table(table), sql.ref(column)];
  return inTransaction(connection, async (transaction) => {
    await sql`select set_config('weir.deletes_old_audit', ${table === "audit" ? "on" : "off"}, true)`.execute(
      transaction,
    );
    const { rows } = await sql`
      with old as (select ctid from ${from} where ${time} < ${before} limit ${batch} for update skip locked),
        gone as (delete from ${from} where ctid in (select ctid from old) returning 1)
      select count(*) as count from gone`.execute(transaction);
    return (rows as readonly { readonly count: number }[])[0]?.count ?? 0;
  });
}
