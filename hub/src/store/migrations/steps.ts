import { type Kysely, sql } from "kysely";

/** One step of the schema: the statements that add something, and those that take it away again, in order. */
export interface Step {
  readonly up: readonly string[];
  readonly down: readonly string[];
}

/** A step as Kysely's migrator runs it; all pending steps are one transaction. */
export function toMigration({ up, down }: Step): { up: Run; down: Run } {
  return { up: (database) => runAll(database, up), down: (database) => runAll(database, down) };
}

type Run = (database: Kysely<unknown>) => Promise<void>;

async function runAll(database: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    await sql.raw(statement).execute(database);
  }
}
