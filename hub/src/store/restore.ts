import type { JsonObject, JsonValue } from "@weir/base";
import { type RawBuilder, sql } from "kysely";
import * as z from "zod";
import { type BackupLine, backedUpTables } from "./backup.ts";
import type { Database } from "./database.ts";
import { migrate, migrateTo, migrationStatus } from "./migrate.ts";
import type { Connection } from "./schema.ts";

/** A backup can't be restored; the message says why, and what to do. No data was written. */
export class RestoreError extends Error {
  override readonly name = "RestoreError";
}

/** How many characters of rows are inserted at a time. */
const batch = 1_000_000;

/** The tables whose IDs the database counts. */
const countedTables = ["events", "audit"] as const;

/**
 * Writes the data of a backup, whose lines come without their ends, into an empty database, in one transaction; resolves
 * to how many rows there were. The database may be of the other kind, and this version may be newer. What the backup says
 * of the present is over: daemons are disconnected, jobs that may have been done since aren't sent again, and events that
 * may have been reported aren't reported again. Throws a RestoreError.
 */
export async function restoreBackup(
  database: Database,
  { lines, now }: { readonly lines: AsyncIterable<string>; readonly now: number },
  signal: AbortSignal,
): Promise<number> {
  const read = readLines(lines);
  const head = await read.next();
  if (head.done === true || head.value.kind !== "head") {
    throw new RestoreError("this is not a backup of the console: its first line is not the head of one");
  }
  await mustFit(database, head.value.migration);
  await migrateTo(database, head.value.migration);
  const rows = await database.unhurried((connection) =>
    connection.transaction().execute(async (transaction) => {
      const sum = await insertRows(transaction, read, signal);
      await endThePast(transaction, now);
      return sum;
    }),
  );
  await migrate(database);
  return rows;
}

/** The database has to be empty, and this version has to know how to come from that migration to its own. */
async function mustFit(database: Database, migration: string): Promise<void> {
  const known = await migrationStatus(database);
  if (!known.some(({ name }) => name === migration)) {
    throw new RestoreError(
      `the backup was made by a newer version (its tables are of ${JSON.stringify(migration)}): restore it with that version`,
    );
  }
  await migrate(database);
  for (const table of backedUpTables) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(database.connection);
    if (rows.length > 0) {
      throw new RestoreError(
        `the database is not empty, it has rows in ${table}: restore into a new database`,
      );
    }
  }
}

async function insertRows(
  transaction: Connection,
  lines: AsyncIterator<BackupLine, undefined>,
  signal: AbortSignal,
): Promise<number> {
  let [sum, size, table]: [number, number, string] = [0, 0, ""];
  let rows: JsonObject[] = [];
  for (;;) {
    signal.throwIfAborted();
    const next = await lines.next();
    if (next.done === true || next.value.kind === "head") {
      throw new RestoreError("the backup has no end: it was cut off");
    }
    const line = next.value;
    if (rows.length > 0 && (line.kind === "end" || line.table !== table || size > batch)) {
      await insertBatch(transaction, table, rows);
      [rows, size] = [[], 0];
    }
    if (line.kind === "end") {
      if (line.rows !== sum) {
        throw new RestoreError(`the backup has ${sum} rows instead of ${line.rows}: lines are missing`);
      }
      return sum;
    }
    rows.push(line.row);
    size += JSON.stringify(line.row).length;
    [table, sum] = [line.table, sum + 1];
  }
}

async function insertBatch(
  transaction: Connection,
  table: string,
  rows: readonly JsonObject[],
): Promise<void> {
  if (!backedUpTables.some((known) => known === table)) {
    throw new RestoreError(`the backup has rows of an unknown table, ${JSON.stringify(table)}`);
  }
  const columns = await columnsOf(transaction, table);
  const names = sql.join(columns.map(({ name }) => sql.ref(name)));
  // JSON has one null for both that of SQL and its own, of which only the second can be in these columns.
  const values = columns.map(({ name, isJson }) =>
    isJson ? sql`coalesce(${sql.ref(name)}, 'null'::jsonb)` : sql.ref(name),
  );
  const json = JSON.stringify(rows);
  try {
    await sql`insert into ${sql.table(table)} (${names}) select ${sql.join(values)}
      from jsonb_populate_recordset(null::${sql.table(table)}, ${json}::jsonb)`.execute(transaction);
  } catch (error) {
    throw new RestoreError(`rows of ${table} don't fit: lines of the backup are missing or were changed`, {
      cause: error,
    });
  }
}

/** A column that isn't made of others; isJson is true for JSON that can't be the NULL of SQL. */
interface Column {
  readonly name: string;
  readonly isJson: boolean;
}

async function columnsOf(transaction: Connection, table: string): Promise<readonly Column[]> {
  const { rows } = await sql<Column>`
    select column_name as name, (data_type = 'jsonb' and is_nullable = 'NO') as is_json
    from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER'`.execute(
    transaction,
  );
  return rows;
}

async function endThePast(transaction: Connection, now: number): Promise<void> {
  const at = new Date(now);
  const statements = [
    sql`update instance_state set connected = false, console_id = null, lease_id = null`,
    sql`update jobs set state = 'lost', lease_id = null where state in ('queued', 'sent', 'running')`,
    sql`update jobs set state = 'cancelled', ended_at = ${at} where state = 'waiting-for-approval'`,
    await dispatchesNothing(transaction),
    sql`update notification_outbox set state = 'failed', ended_at = ${at}, result = 'restored from a backup'
      where ended_at is null`,
    sql`update notification_channels
      set claimed_by = null, claimed_until = null, failures = 0, retry_at = null`,
    ...countedTables.map(
      (table) =>
        sql`select setval(pg_get_serial_sequence(${table}, 'id'), coalesce(max(id), 1), max(id) is not null)
          from ${sql.table(table)}`,
    ),
  ];
  for (const statement of statements) {
    await statement.execute(transaction);
  }
}

/** Says that all events were compared with the rules of notifications, in the tables of the backup's version. */
async function dispatchesNothing(transaction: Connection): Promise<RawBuilder<unknown>> {
  const columns = await columnsOf(transaction, "events");
  return columns.some(({ name }) => name === "dispatched_at")
    ? sql`update events set dispatched_at = received_at where dispatched_at is null`
    : sql`update dispatch_progress set last_event_id = (select coalesce(max(id), 0) from events)`;
}

const lineForms = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("head"), format: z.literal(1), migration: z.string(), at: z.string() }),
  z.object({ kind: z.literal("row"), table: z.string(), row: z.record(z.string(), z.json()) }),
  z.object({ kind: z.literal("end"), rows: z.number().int() }),
]);

async function* readLines(lines: AsyncIterable<string>): AsyncGenerator<BackupLine, undefined> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    const parsed = lineForms.safeParse(parseJson(line));
    if (!parsed.success) {
      throw new RestoreError(
        `line ${number} is not a line of a backup of the console, or of a newer version`,
      );
    }
    yield parsed.data;
  }
  return undefined;
}

function parseJson(line: string): JsonValue | undefined {
  try {
    return JSON.parse(line) as JsonValue;
  } catch {
    return undefined;
  }
}
