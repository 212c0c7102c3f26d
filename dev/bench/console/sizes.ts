import { sql } from "kysely";
import type { Database } from "../../../hub/src/store/database.ts";

/** How many bytes a row of a table takes on average, with its share of the table's indexes. */
export async function bytesOfRow({ connection }: Database, table: "workloads" | "events"): Promise<number> {
  const { rows } = await sql<{ readonly size: number }>`
    select pg_total_relation_size(${table}) / greatest(count(*), 1)::float8 as size from ${sql.table(table)}
  `.execute(connection);
  return rows[0]?.size ?? Number.NaN;
}
