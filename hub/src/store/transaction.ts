import type { Connection } from "./schema.ts";

/** Does work in the transaction that a connection is, or else in one of its own. */
export function inTransaction<T>(
  connection: Connection,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  return connection.isTransaction ? work(connection) : connection.transaction().execute(work);
}
