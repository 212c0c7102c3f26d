import { sql } from "kysely";
import type { Connection } from "./schema.ts";

/** The time of the database, in milliseconds since the epoch: the same for all consoles. */
export async function databaseTime(connection: Connection): Promise<number> {
  const { rows } = await sql<{ readonly now: Date }>`select clock_timestamp() as now`.execute(connection);
  const [row] = rows;
  if (row === undefined) {
    throw new Error("the database doesn't say what time it is");
  }
  return row.now.getTime();
}
