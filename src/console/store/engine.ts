import type { Connection } from "./schema.ts";

/** A database that's open: a server, or one embedded in this process. */
export interface Engine {
  readonly kind: "postgresql" | "pglite";
  readonly connection: Connection;
  /** Does work that may take longer than a request may, such as a migration. */
  unhurried<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
