import { CamelCasePlugin, type Dialect, Kysely } from "kysely";
import type { Connection, Tables } from "./schema.ts";

/** A database that's open: a server, or one embedded in this process. */
export interface Engine {
  readonly kind: "postgresql" | "pglite";
  readonly connection: Connection;
  /** Does work that may take longer than a request may, such as a migration. */
  unhurried<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Sends queries, in which names of tables and columns are in camel case; those in JSON stay as they are. */
export function connectionOver(dialect: Dialect): Connection {
  return new Kysely<Tables>({
    dialect,
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}
