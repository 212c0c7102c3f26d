import { errorCode, messageOf } from "@weir/base";
import { ListenError } from "@weir/flux/serving";
import { TrustedProxyError } from "../access/client-address.ts";
import { OpenIdOptionsError } from "../access/openid/provider.ts";
import { SecretBoxError } from "../secret-box/secret-box.ts";
import { FolderInUseError } from "../store/hold-folder.ts";
import { DatabaseUrlError } from "../store/location.ts";
import { MigrationError } from "../store/migrate.ts";
import { RestoreError } from "../store/restore.ts";

/** The console can't start, or a command can't be done; the message says what's wrong and what to do. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** What's wrong and what to do, in a line, of an error that ended the program. It contains no secret. */
export function explainEnd(error: unknown): string {
  if (error instanceof ListenError) {
    return `${error.message}: choose another address with --listen or --listen-metrics, or stop what uses it`;
  }
  if (error instanceof MigrationError) {
    return explainMigration(error);
  }
  const isClear = explained.some((type) => error instanceof type);
  return isClear ? messageOf(error) : (explainDatabase(error) ?? messageOf(error));
}

const explained = [
  TrustedProxyError,
  OpenIdOptionsError,
  StartError,
  FolderInUseError,
  DatabaseUrlError,
  SecretBoxError,
  RestoreError,
];

function explainMigration({ message, migration, cause }: MigrationError): string {
  const reason = messageOf(cause);
  if (migration === "" && /previously executed migration|corrupted migrations/.test(reason)) {
    return "a newer version of weir-console has changed the tables of this database: run that version, or go back with its `migrate --down-to` first";
  }
  return explainDatabase(cause) ?? `${message}: ${reason}`;
}

/** Undefined for an error that isn't about reaching the database. */
function explainDatabase(error: unknown): string | undefined {
  const code = codeOf(error);
  const remedy = code === undefined ? undefined : remedies.get(code);
  return remedy === undefined ? undefined : `cannot use the database: ${reasonOf(error)}: ${remedy}`;
}

const unreachable =
  "check the host and the port in DATABASE_URL, and that PostgreSQL runs and can be reached";
const login = "check the user and the password in DATABASE_URL";

/** By the codes of Node.js and PostgreSQL. */
const remedies: ReadonlyMap<string, string> = new Map([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "EHOSTUNREACH", "ECONNRESET", "ENOENT"].map(
    (code) => [code, unreachable] as const,
  ),
  ["28P01", login],
  ["28000", login],
  ["3D000", "create the database, or correct its name in DATABASE_URL"],
  ["42501", "let this user create tables in the schema, such as by making it the owner of the database"],
  ["53300", "raise max_connections of PostgreSQL, or stop what uses them"],
]);

/** Several attempts to connect, such as by IPv4 and IPv6, are an error of errors. */
function codeOf(error: unknown): string | undefined {
  return error instanceof AggregateError ? codeOf(error.errors[0]) : errorCode(error);
}

function reasonOf(error: unknown): string {
  return error instanceof AggregateError ? reasonOf(error.errors[0]) : messageOf(error);
}
