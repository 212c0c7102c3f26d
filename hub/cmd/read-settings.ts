import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeFileError, type Environment } from "@weir/base";
import type { ConsoleSettings } from "../src/program/settings.ts";
import { StartError } from "../src/program/start-error.ts";
import { type DatabaseLocation, databaseLocation } from "../src/store/location.ts";
import type { ServeFlags, SharedFlags } from "./flags.ts";
import { atLeastOne, type NumberFlag } from "./number-flag.ts";
import { readOpenId } from "./read-openid.ts";

/** Where the data is. Throws StartError or DatabaseUrlError. */
export function readLocation(flags: SharedFlags, env: Environment): DatabaseLocation {
  return databaseLocation(databaseUrl(flags, env), join(dataFolder(flags, env), "database"));
}

/** The settings of `serve`. Throws StartError or DatabaseUrlError. */
export function readSettings(shared: SharedFlags, flags: ServeFlags, env: Environment): ConsoleSettings {
  const database = readLocation(shared, env);
  return {
    database,
    keys: keysOf(flags, database, dataFolder(shared, env)),
    listen: flags.listen.value,
    listenMetrics: flags.listenMetrics.value,
    publicUrl: publicUrlOf(flags),
    trustedProxies: flags.trustedProxies.value,
    notifyPrivateHosts: flags.notifyPrivateHosts.value,
    hasPasswords: flags.passwords.value,
    ...readOpenId(flags, env),
    goneAfterMs: atLeastOne(flags.daemonGoneAfter, "gives daemons no time") * 1000,
    retention: retentionOf(flags),
  };
}

/** "fmt" is Flux's name. Throws StartError for a format that there isn't. */
export function logFormatOf({ logFormat }: SharedFlags): "logfmt" | "json" {
  switch (logFormat.value) {
    case "fmt":
      return "logfmt";
    case "json":
      return "json";
    default:
      throw new StartError(`there is no log format ${JSON.stringify(logFormat.value)}: choose fmt or json`);
  }
}

/** The URL of the database as it was given, with its password; "" for the embedded one. Throws StartError. */
export function databaseUrl({ databaseUrlFile }: SharedFlags, env: Environment): string {
  const file = databaseUrlFile.value;
  if (file === "") {
    return env["DATABASE_URL"] ?? "";
  }
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new StartError(
      `cannot read the file given by --database-url-file: ${describeFileError("open", file, error)}`,
      { cause: error },
    );
  }
}

function dataFolder({ dataFolder: { value } }: SharedFlags, env: Environment): string {
  const home = env["HOME"] || env["USERPROFILE"] || ".";
  return (
    value ||
    env["STATE_DIRECTORY"] ||
    join(env["XDG_DATA_HOME"] || join(home, ".local", "share"), "weir-console")
  );
}

/** All consoles on one PostgreSQL need the same keys, so none may make its own. */
function keysOf(
  { secretKeyFile: { value } }: ServeFlags,
  { kind }: DatabaseLocation,
  folder: string,
): ConsoleSettings["keys"] {
  if (value !== "") {
    return { file: value, isOwn: false };
  }
  if (kind === "server") {
    throw new StartError(
      "no key to encrypt secrets with: make one with `openssl rand -base64 32`, and name its file with --secret-key-file; all consoles on one database need the same",
    );
  }
  return { file: join(folder, "secret.key"), isOwn: true };
}

function publicUrlOf({ publicUrl: { value }, listen }: ServeFlags): URL {
  if (value === "") {
    return new URL(`http://localhost:${/\d+$/.exec(listen.value)?.[0] ?? ""}`);
  }
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.pathname !== "/" || url.search !== "") {
    throw new StartError(
      `--public-url=${value} is not an address of the console: it has to be like https://weir.example.com, without a path`,
    );
  }
  return url;
}

function retentionOf(flags: ServeFlags): ConsoleSettings["retention"] {
  const days = (flag: NumberFlag): number => atLeastOne(flag, "keeps nothing");
  return {
    events: days(flags.keepEvents),
    jobs: days(flags.keepJobs),
    notifications: days(flags.keepNotifications),
    audit: days(flags.keepAudit),
    removedInstances: days(flags.keepRemoved),
  };
}
