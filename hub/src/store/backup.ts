import type { JsonObject } from "@weir/base";
import { sql } from "kysely";
import type { Database } from "./database.ts";
import { migrationStatus } from "./migrate.ts";
import type { Connection } from "./schema.ts";

/**
 * The tables in a backup, each after those that it refers to. Left out is what only means something to consoles that
 * run: their leases, messages, rate limits, and sessions.
 */
export const backedUpTables = [
  "instances",
  "instance_state",
  "workloads",
  "events",
  "users",
  "identities",
  "passwords",
  "invitations",
  "roles",
  "api_tokens",
  "approval_rules",
  "settings",
  "jobs",
  "audit",
  "notification_channels",
  "notification_rules",
  "notification_outbox",
] as const;

/** A backup is a text of lines, each of which is one of these as JSON: a head, any number of rows, and an end. */
export type BackupLine =
  | { readonly kind: "head"; readonly format: 1; readonly migration: string; readonly at: string }
  | { readonly kind: "row"; readonly table: string; readonly row: JsonObject }
  | { readonly kind: "end"; readonly rows: number };

/** How many rows are read at a time. */
const batch = 200;

/**
 * Writes all data, as it is at one moment, as lines with their ends; each is awaited before the next. It contains hashes
 * of passwords and tokens, and encrypted secrets. Resolves to how many rows there are.
 */
export function writeBackup(
  database: Database,
  { write, now }: { readonly write: (line: string) => Promise<void>; readonly now: number },
  signal: AbortSignal,
): Promise<number> {
  const writeLine = (line: BackupLine): Promise<void> => write(`${JSON.stringify(line)}\n`);
  return database.unhurried(async (connection) => {
    const done = (await migrationStatus(database)).findLast(({ doneAt }) => doneAt !== null);
    await writeLine({
      kind: "head",
      format: 1,
      migration: done?.name ?? "",
      at: new Date(now).toISOString(),
    });
    const rows = await connection
      .transaction()
      .setIsolationLevel("repeatable read")
      .execute(async (transaction) => {
        let sum = 0;
        for (const table of backedUpTables) {
          for await (const row of rowsOf(transaction, table)) {
            signal.throwIfAborted();
            await writeLine({ kind: "row", table, row });
            sum += 1;
          }
        }
        return sum;
      });
    await writeLine({ kind: "end", rows });
    return rows;
  });
}

/** The rows of a table as JSON, without what the database makes of other columns. */
async function* rowsOf(transaction: Connection, table: string): AsyncIterable<JsonObject> {
  await sql`declare backed_up no scroll cursor for
    select to_jsonb(backed_up_row) - 'search' as row from ${sql.table(table)} as backed_up_row`.execute(
    transaction,
  );
  for (let count = batch; count === batch; ) {
    const { rows } = await sql<{
      readonly row: JsonObject;
    }>`fetch ${sql.raw(`${batch}`)} from backed_up`.execute(transaction);
    for (const { row } of rows) {
      yield row;
    }
    count = rows.length;
  }
  await sql`close backed_up`.execute(transaction);
}
