import { PostgresDialect } from "kysely";
import pg from "pg";
import { connectionOver, type Engine, type ListenRequest } from "./engine.ts";
import type { Connection } from "./schema.ts";
import { listenOnServer } from "./server-listener.ts";
import { clientOptions, type ServerOptions } from "./server-options.ts";

/** How long one statement may take, and how long a transaction may wait for its next one, in milliseconds. */
const statementTimeout = 30_000;

/** How many connections a console has by default; PostgreSQL accepts 100 in all. */
const usualConnections = 10;

/** A PostgreSQL server, over a pool of connections. A broken connection is replaced by the next query. */
export class ServerEngine implements Engine {
  readonly kind = "postgresql";
  readonly connection: Connection;
  readonly #options: ServerOptions;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.connection = connectionOver(
      this.#dialect(options.connections ?? usualConnections, statementTimeout),
    );
  }

  async unhurried<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = connectionOver(this.#dialect(1, 0));
    try {
      return await work(connection);
    } finally {
      await connection.destroy();
    }
  }

  listen(request: ListenRequest, signal: AbortSignal): Promise<void> {
    return listenOnServer(this.#options, request, signal);
  }

  async close(): Promise<void> {
    await this.connection.destroy();
  }

  #dialect(max: number, timeout: number): PostgresDialect {
    const pool = new pg.Pool({
      ...clientOptions(this.#options.url),
      max,
      idleTimeoutMillis: 60_000,
      statement_timeout: timeout,
      idle_in_transaction_session_timeout: timeout,
    });
    // One that is used has ended between two queries of a transaction: the next one fails, and that's enough.
    pool.on("connect", (client) => client.on("error", () => undefined));
    // An unused connection has ended, such as when the server is restarted; the pool has already dropped it.
    pool.on("error", (error) =>
      this.#options.log.log({ component: "store", warning: "connection lost", err: error }),
    );
    return new PostgresDialect({ pool });
  }
}
