import type { Logger } from "@weir/base";
import type pg from "pg";
import { serverTypes } from "./column-parsers.ts";

/** How long to wait for a connection, also while the server is being restarted, in milliseconds. */
const connectTimeout = 10_000;

/** What to connect to. */
export interface ServerOptions {
  readonly url: string;
  readonly log: Logger;
  readonly connections?: number | undefined;
}

/** What every connection of a console has in common. */
export function clientOptions(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: "weir-console",
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    types: serverTypes,
  };
}
