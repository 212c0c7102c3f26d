import { createLogger, type Logger, systemClock } from "@weir/base";
import { Database } from "../../src/store/database.ts";
import type { SharedFlags } from "../flags.ts";
import { databaseUrl, logFormatOf, readLocation } from "../read-settings.ts";
import type { ConsoleTerminal } from "../terminal.ts";

/** Does work on the database that the flags name. */
export async function withDatabase(
  shared: SharedFlags,
  terminal: ConsoleTerminal,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const log = loggerFor(shared, terminal);
  await using database = await Database.open(readLocation(shared, terminal.env), { log });
  await work(database);
}

/** The log, which goes to stderr. Throws StartError. */
export function loggerFor(shared: SharedFlags, { err, env }: ConsoleTerminal): Logger {
  const format = logFormatOf(shared);
  return createLogger({
    format,
    clock: systemClock,
    write: err,
    redact: redactorFor(databaseUrl(shared, env)),
  });
}

/** Removes the password of the database, which errors of libraries might repeat. */
function redactorFor(url: string): (text: string) => string {
  const password = URL.canParse(url) ? new URL(url).password : "";
  const secrets = [...new Set([password, decodeURIComponent(password)])].filter((text) => text.length > 3);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "<redacted>"), text);
}
