import type { DeleteResult, UpdateResult } from "kysely";

/** Executes an update; true if it changed a row. */
export async function hasUpdated(query: Executable<UpdateResult>): Promise<boolean> {
  return (await query.executeTakeFirstOrThrow()).numUpdatedRows > 0n;
}

/** Executes a deletion; true if there was a row to delete. */
export async function hasDeleted(query: Executable<DeleteResult>): Promise<boolean> {
  return (await query.executeTakeFirstOrThrow()).numDeletedRows > 0n;
}

interface Executable<Result> {
  executeTakeFirstOrThrow(): Promise<Result>;
}
