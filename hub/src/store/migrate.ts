import { type MigrationResultSet, Migrator, NO_MIGRATIONS } from "kysely/migration";
import type { Database } from "./database.ts";
import { migrations } from "./migrations/index.ts";
import type { Connection } from "./schema.ts";

/** A migration failed; nothing was changed. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
  /** "" if it failed before the first one. */
  readonly migration: string;

  constructor(migration: string, cause: unknown) {
    super(migration === "" ? "the database can't be migrated" : `the migration ${migration} failed`, {
      cause,
    });
    this.migration = migration;
  }
}

/** A migration, and when it was done; null if it wasn't. */
export interface MigrationStatus {
  readonly name: string;
  readonly doneAt: Date | null;
}

/**
 * Brings the tables to what this version needs, in one transaction; resolves to the migrations that were done. Of
 * several consoles that do it at the same time, one does it, and the others wait. Throws MigrationError, also if the
 * database was migrated by a newer version.
 */
export function migrate(database: Database): Promise<readonly string[]> {
  return database.unhurried(async (connection) => namesOf(await migratorOf(connection).migrateToLatest()));
}

/** Brings the tables up or down to a migration, or with "none" removes them; otherwise as `migrate`. */
export function migrateTo(database: Database, migration: string): Promise<readonly string[]> {
  const target = migration === "none" ? NO_MIGRATIONS : migration;
  return database.unhurried(async (connection) => namesOf(await migratorOf(connection).migrateTo(target)));
}

/** All migrations of this version, in order. */
export function migrationStatus(database: Database): Promise<readonly MigrationStatus[]> {
  return database.unhurried(async (connection) => {
    const all = await migratorOf(connection).getMigrations();
    return all.map(({ name, executedAt }) => ({ name, doneAt: executedAt ?? null }));
  });
}

function migratorOf(db: Connection): Migrator {
  return new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
}

function namesOf({ error, results = [] }: MigrationResultSet): readonly string[] {
  if (error !== undefined) {
    const failed = results.find(({ status }) => status === "Error");
    throw new MigrationError(failed?.migrationName ?? "", error);
  }
  return results.map(({ migrationName }) => migrationName);
}
