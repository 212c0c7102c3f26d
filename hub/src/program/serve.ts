/** One console: opens its database, starts its parts in order, and stops them in reverse. */
import { type Clock, Deadline, type Environment, type Logger, orAborted, version } from "@weir/base";
import { FluxApi, type FluxApiOptions } from "../flux-api/flux-api.ts";
import type { Handlers } from "../operations/call.ts";
import { type ConsoleAppOptions, consoleApp } from "../rest/app.ts";
import { openApi } from "../rest/openapi.ts";
import { Database } from "../store/database.ts";
import { DatabaseClock } from "../store/database-clock.ts";
import { migrate } from "../store/migrate.ts";
import { ping } from "../store/ping.ts";
import { calmLogger } from "./calm-logger.ts";
import { type ListeningServer, listenForConsole, listenForMetrics } from "./http-server.ts";
import { openPage } from "./page.ts";
import { type ConsoleParts, openParts } from "./parts.ts";
import { keepTidy } from "./retention.ts";
import { openOwnSecretBox, openSecretBox } from "./secret-keys.ts";
import type { ConsoleSettings } from "./settings.ts";
import { sharedAnswer } from "./shared-answer.ts";
import { StartError } from "./start-error.ts";

/** What answers requests. */
export interface ConsoleAnswers {
  readonly handlers: Handlers;
  /** Says who may use Flux's API. */
  readonly authorize: FluxApiOptions["authorize"];
}

/** What a console needs besides its settings. */
export interface ServeContext {
  readonly clock: Clock;
  readonly log: Logger;
  /** Where the files of the page are. */
  readonly pageFolder: string;
  /** For proxies. */
  readonly env: Environment;
  /** Answers requests with the parts. */
  readonly answers: (parts: ConsoleParts) => ConsoleAnswers;
  /** Called once the console answers requests, with the host and port where it listens. */
  readonly begun?: (parts: ConsoleParts, address: string) => void;
}

/** How long requests under way may take when the console stops, in milliseconds. */
const graceMs = 3_000;

/** How long it's believed that the database can be reached, or not, in milliseconds: anybody may ask. */
const readinessMs = 1_000;

/** How long the bus may take to listen when the console starts, in milliseconds. */
const listenMs = 15_000;

/**
 * Runs a console until it's told to stop, then stops within some seconds. Rejects with what keeps it from starting, which
 * `explainEnd` explains.
 */
export async function serveConsole(
  settings: ConsoleSettings,
  context: ServeContext,
  signal: AbortSignal,
): Promise<void> {
  const { clock, env } = context;
  const log = calmLogger(context.log, clock);
  const page = openPage(context.pageFolder);
  await using cleanup = new AsyncDisposableStack();
  const database = cleanup.use(await Database.open(settings.database, { log }));
  await prepare(database, log);
  const time = await DatabaseClock.open({ connection: database.connection, clock, log });
  const { keys } = settings;
  const box = await (keys.isOwn ? openOwnSecretBox : openSecretBox)(keys.file);
  const parts = openParts({ settings, database, box, clock: time, machineClock: clock, log, env, cleanup });
  const { handlers, authorize } = context.answers(parts);
  const app = consoleApp({
    handlers,
    ...entranceOf(parts),
    openApi: openApi(version),
    page,
    isOverTls: settings.publicUrl.protocol === "https:",
    logger: log,
    stop: signal,
  });
  await startBus(parts, cleanup);
  const flux = new FluxApi({ hub: parts.hub, authorize });
  const servers = await listenAt(settings, parts, { app, flux }, signal);
  const [{ address } = { address: "" }] = servers;
  log.log({ info: "weir-console listens", version, addr: address, url: settings.publicUrl.href });
  context.begun?.(parts, address);
  await Promise.all([
    parts.hub.run(signal),
    parts.worker.run(signal),
    parts.access.inviteFirstAdministrator(signal),
    keepTidy({ database, bus: parts.bus, retention: settings.retention, clock: time, log }, signal),
    time.run(signal),
    closeAfter(signal, servers),
  ]);
}

async function prepare(database: Database, log: Logger): Promise<void> {
  const migrations = await migrate(database);
  if (migrations.length > 0) {
    log.log({ info: "changed the tables of the database", migrations: migrations.join(" ") });
  }
}

/** Accepts nothing more as soon as the console is to stop: daemons and browsers then find another console. */
async function closeAfter(signal: AbortSignal, servers: readonly ListeningServer[]): Promise<void> {
  await orAborted(new Promise<never>(() => undefined), signal).catch(() => undefined);
  await Promise.all(servers.map((server) => server.stop(graceMs)));
}

/** Who comes in, and what they are told while they are there. */
function entranceOf({
  access,
  live,
  clock,
}: ConsoleParts): Pick<ConsoleAppOptions, "gate" | "auditor" | "streams"> {
  return {
    gate: access.gate,
    auditor: access.audit,
    streams: {
      clock,
      subscribe: (listener) => live.subscribe(listener),
      ended: (actor, stop) => access.endings.ended(actor, stop),
    },
  };
}

/** Lets the bus run until everything else has stopped. Daemons come only once it listens. */
async function startBus({ bus, clock }: ConsoleParts, cleanup: AsyncDisposableStack): Promise<void> {
  const stop = new AbortController();
  const listens = Promise.withResolvers<undefined>();
  const unsubscribe = bus.onGap(() => listens.resolve(undefined));
  const ended = bus.run(stop.signal);
  cleanup.defer(async () => {
    stop.abort();
    await ended;
  });
  using deadline = new Deadline(clock, listenMs);
  deadline.signal.addEventListener("abort", () =>
    listens.reject(
      new StartError(
        "the database doesn't let the console listen: is there a pooler in between that doesn't keep sessions?",
      ),
    ),
  );
  await listens.promise.finally(unsubscribe);
}

/** The first one is the console's own. */
async function listenAt(
  settings: ConsoleSettings,
  parts: ConsoleParts,
  { app, flux }: { readonly app: ReturnType<typeof consoleApp>; readonly flux: FluxApi },
  stop: AbortSignal,
): Promise<readonly ListeningServer[]> {
  const { hub, metrics, database, clock } = parts;
  const reachesDatabase = sharedAnswer(() => ping(database.connection), { clock, ms: readinessMs });
  const server = await listenForConsole(
    {
      app: [
        (request, response, next) =>
          parts.access.openId === undefined ? next() : parts.access.openId.handle(request, response, next),
        app,
      ],
      flux: (request, response) => flux.handle(request, response),
      upgrade: (request, socket, head) => void hub.handleUpgrade(request, socket, head),
      ready: async () => {
        stop.throwIfAborted();
        await reachesDatabase();
      },
      metrics,
      showsMetrics: settings.listenMetrics === "",
    },
    settings.listen,
  );
  if (settings.listenMetrics === "") {
    return [server];
  }
  try {
    return [server, await listenForMetrics(metrics, settings.listenMetrics)];
  } catch (error) {
    await server.stop(0);
    throw error;
  }
}
