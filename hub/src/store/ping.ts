import { sql } from "kysely";
import type { Connection } from "./schema.ts";

/** Resolves if the database answers; rejects with its error otherwise. */
export async function ping(connection: Connection): Promise<void> {
  await sql`select 1`.execute(connection);
}
