import { type Environment, messageOf } from "@weir/base";
import { type AnyFlag, bool, flagsOf, int, list, text } from "@weir/cli";
import { StartError } from "../src/program/start-error.ts";

/** Declares the flags of every command. */
export function declareSharedFlags() {
  return {
    dataFolder: text("data-folder", {
      usage:
        "Folder for the embedded database and its key, if no PostgreSQL is given (default: STATE_DIRECTORY of systemd, or weir-console in XDG_DATA_HOME)",
    }),
    databaseUrlFile: text("database-url-file", {
      usage:
        "File with the URL of the PostgreSQL database, like postgresql://user:password@host:5432/database; you can also set the environment variable DATABASE_URL",
    }),
    logFormat: text("log-format", {
      default: "fmt",
      usage: "Format of the log: fmt or json",
      values: ["fmt", "json"],
    }),
  };
}

/** The flags of every command, of one command line. */
export type SharedFlags = ReturnType<typeof declareSharedFlags>;

/** Declares the flags of `serve`. */
export function declareServeFlags() {
  return {
    listen: text("listen", {
      default: ":8080",
      shorthand: "l",
      usage: "Address for the page, both APIs, and daemons",
    }),
    listenMetrics: text("listen-metrics", {
      usage: "Address for /metrics; without it, /metrics is where the page is",
    }),
    publicUrl: text("public-url", {
      usage:
        "Address at which people and daemons reach the console, like https://weir.example.com; with https, something in front of the console has to do TLS (default: http://localhost with the port of --listen)",
    }),
    trustedProxies: list("trusted-proxies", {
      usage: "Addresses and ranges of proxies in front of the console, whose X-Forwarded-For is believed",
    }),
    secretKeyFile: text("secret-key-file", {
      usage:
        "File with the keys that encrypt the secrets of notifications, each 32 bytes in base64 on a line, the current one first; an embedded database has one of its own",
    }),
    notifyPrivateHosts: list("notify-private-hosts", {
      usage: "Hosts with private addresses to which notifications may be sent; * stands for any characters",
    }),
    pageFolder: text("page-folder", {
      usage: "Folder with the files of the page, if it isn't the one that comes with the program",
    }),
    passwords: bool("passwords", { default: true, usage: "Let people log in with passwords" }),
    openIdIssuer: text("openid-issuer", {
      usage:
        "URL of an OpenID Connect provider at which people can log in; it has to know the address /auth/openid/callback below --public-url",
    }),
    openIdClientId: text("openid-client-id", { usage: "What the provider calls the console" }),
    openIdClientSecretFile: text("openid-client-secret-file", {
      usage:
        "File with the secret of the client; you can also set the environment variable WEIR_CONSOLE_OPENID_CLIENT_SECRET",
    }),
    openIdName: text("openid-name", { default: "OpenID Connect", usage: "What people call the provider" }),
    openIdGroupsClaim: text("openid-groups-claim", {
      default: "groups",
      usage: "The claim that lists the groups of a person",
    }),
    openIdScopes: list("openid-scopes", {
      usage: "Scopes to ask for in addition to openid, profile, and email",
    }),
    openIdConfirmed: int("openid-confirmed-hours", {
      default: 24,
      usage:
        "Hours after a login at the provider until the person has to log in there again: then sessions end, and tokens lose what groups permit",
    }),
    daemonGoneAfter: int("daemon-gone-after-seconds", {
      default: 120,
      usage:
        "Seconds that a daemon may be away before an event, and with it notifications, say that it's gone",
    }),
    keepEvents: int("keep-events-days", { default: 90, usage: "Days to keep events" }),
    keepJobs: int("keep-jobs-days", { default: 365, usage: "Days to keep jobs that have ended" }),
    keepNotifications: int("keep-notifications-days", {
      default: 30,
      usage: "Days to keep what was sent as notifications",
    }),
    keepAudit: int("keep-audit-days", { default: 730, usage: "Days to keep the audit log" }),
    keepRemoved: int("keep-removed-instances-days", {
      default: 30,
      usage: "Days to keep what belongs to instances that were removed",
    }),
  };
}

/** The flags of `serve`, of one command line. */
export type ServeFlags = ReturnType<typeof declareServeFlags>;

/** The environment variable that sets a flag which isn't given, such as WEIR_CONSOLE_LISTEN. */
export function variableOf({ declaration }: AnyFlag): string {
  return `WEIR_CONSOLE_${declaration.name.replaceAll("-", "_").toUpperCase()}`;
}

/** Sets flags that weren't given from the environment. Throws StartError for a value that makes no sense. */
export function fillFromEnvironment(flags: Readonly<Record<string, AnyFlag>>, env: Environment): void {
  for (const flag of flagsOf(flags).filter(({ isSet }) => !isSet)) {
    const name = variableOf(flag);
    const value = env[name] ?? "";
    try {
      if (value !== "") {
        flag.set(value);
      }
    } catch (error) {
      throw new StartError(`the environment variable ${name} makes no sense: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
}
