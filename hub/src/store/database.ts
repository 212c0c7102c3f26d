import type { Logger } from "@weir/base";
import { EmbeddedEngine } from "./embedded-engine.ts";
import type { Engine, ListenRequest } from "./engine.ts";
import type { DatabaseLocation } from "./location.ts";
import type { Connection } from "./schema.ts";
import { ServerEngine } from "./server-engine.ts";

/** How to open a database. */
export interface DatabaseOptions {
  readonly log: Logger;
  /** How many connections to a server there may be at a time; 10 by default. */
  readonly connections?: number;
}

/**
 * The console's database, until it's closed. A server doesn't have to be there when it's opened: each query connects
 * when it has to, and fails if that isn't possible within ten seconds.
 */
export class Database implements AsyncDisposable {
  readonly #engine: Engine;

  /** For tests; others use `open`. */
  constructor(engine: Engine) {
    this.#engine = engine;
  }

  static async open(location: DatabaseLocation, options: DatabaseOptions): Promise<Database> {
    switch (location.kind) {
      case "server":
        return new Database(new ServerEngine({ ...options, url: location.url }));
      case "folder":
        return new Database(await EmbeddedEngine.open(location.path));
      case "memory":
        return new Database(await EmbeddedEngine.open());
    }
  }

  get kind(): Engine["kind"] {
    return this.#engine.kind;
  }

  /** For queries outside a transaction: the first argument of the store's functions. */
  get connection(): Connection {
    return this.#engine.connection;
  }

  /** Does work in one transaction, which is committed unless the work throws. */
  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#engine.connection.transaction().execute(work);
  }

  /** Does work that may take longer than a request may: a statement is ended after 30 seconds otherwise. */
  unhurried<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#engine.unhurried(work);
  }

  /** Listens for notifications until it's aborted, and connects again when it has to. */
  listen(request: ListenRequest, signal: AbortSignal): Promise<void> {
    return this.#engine.listen(request, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine.close();
  }
}
