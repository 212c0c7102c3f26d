import type { Clock } from "@weir/base";
import { CamelCasePlugin, type Dialect, Kysely } from "kysely";
import type { Connection, Tables } from "./schema.ts";

/** A database that's open: a server, or one embedded in this process. */
export interface Engine {
  readonly kind: "postgresql" | "pglite";
  readonly connection: Connection;
  /** Does work that may take longer than a request may, such as a migration. */
  unhurried<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Listens for notifications of PostgreSQL until it's aborted; then it resolves. */
  listen(request: ListenRequest, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** What to listen for. */
export interface ListenRequest {
  readonly channel: string;
  /** Called for each notification; it mustn't throw. */
  readonly message: (payload: string) => void;
  /** Called each time when listening has begun: what was sent before, such as during a disconnection, isn't heard. */
  readonly begun: () => void;
  readonly clock: Clock;
}

/** Sends queries, in which names of tables and columns are in camel case; those in JSON stay as they are. */
export function connectionOver(dialect: Dialect): Connection {
  return new Kysely<Tables>({
    dialect,
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}
