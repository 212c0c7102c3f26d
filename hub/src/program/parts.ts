/** Puts the parts of a console together; nothing of them runs yet. */
import { type Clock, type Environment, type Logger, version } from "@weir/base";
import { createTransport, proxiesOf } from "@weir/http";
import { Access } from "../access/access.ts";
import { type Bus, DatabaseBus } from "../bus/bus.ts";
import { Hub, upstreamPath } from "../daemons/hub.ts";
import { topics } from "../daemons/ports.ts";
import { Channels } from "../notify/channels.ts";
import { Collected } from "../notify/collected.ts";
import { Courier } from "../notify/courier.ts";
import { NotificationWorker } from "../notify/worker.ts";
import { jobAdmission } from "../operations/admission.ts";
import type { SecretBox } from "../secret-box/secret-box.ts";
import type { Database } from "../store/database.ts";
import { newId } from "../store/ids.ts";
import { LiveChanges } from "./live-changes.ts";
import { type ConsoleMetrics, countingEvents, openConsoleMetrics } from "./open-metrics.ts";
import type { ConsoleSettings } from "./settings.ts";

/** What the parts are made from. */
export interface PartsOptions {
  readonly settings: ConsoleSettings;
  readonly database: Database;
  readonly box: SecretBox;
  /** By which everything is stored, and by which it ends. */
  readonly clock: Clock;
  /** For other services, which don't know the database's time. */
  readonly machineClock: Clock;
  readonly log: Logger;
  /** For proxies. */
  readonly env: Environment;
  /** Disposes of the parts in reverse. */
  readonly cleanup: AsyncDisposableStack;
}

/** The parts of a console. */
export interface ConsoleParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly bus: DatabaseBus;
  readonly hub: Hub;
  readonly access: Access;
  readonly channels: Channels;
  readonly worker: NotificationWorker;
  readonly live: LiveChanges;
  readonly metrics: ConsoleMetrics;
  /** Where daemons connect: the address for --connect. */
  readonly connectTo: string;
}

/** How long events are collected before they are compared with the rules of notifications, in milliseconds. */
const dispatchAfter = 250;

/** Makes the parts of a console. Throws TrustedProxyError. */
export function openParts(options: PartsOptions): ConsoleParts {
  const { settings, database, clock, log } = options;
  const { publicUrl } = settings;
  const bus = new DatabaseBus({ database, clock, log });
  const access = new Access({ ...settings, connection: database.connection, bus, clock, logger: log });
  const { channels, worker } = openNotifications(options, bus);
  const live = options.cleanup.use(new LiveChanges({ database, bus, log }));
  const measured = { connections: () => hub.connections, streams: () => live.listening };
  const metrics = openConsoleMetrics({ ...measured, clock, connection: database.connection });
  const hub = new Hub({
    ...{ database, clock, log, version },
    bus: countingEvents(bus, metrics),
    consoleId: newId(clock.now()),
    admitJob: jobAdmission({ database, clock }),
    intervals: { gone: settings.goneAfterMs },
  });
  const parts = { database, clock, bus, hub, access, channels, worker, live, metrics };
  return { ...parts, connectTo: connectAddress(publicUrl) };
}

function openNotifications(
  { settings, database, box, clock, machineClock, log, env, cleanup }: PartsOptions,
  bus: Bus,
) {
  const transport = createTransport({ connections: 8, proxies: proxiesOf(env) });
  cleanup.defer(() => transport.close());
  const courier = new Courier({ transport, privateHosts: settings.notifyPrivateHosts, clock: machineClock });
  const worker = new NotificationWorker({
    ...{ database, courier, box, clock, log },
    eventUrl: (id) => new URL(`/events/${id}`, settings.publicUrl).href,
    random: Math.random,
  });
  const added = cleanup.use(new Collected(machineClock, dispatchAfter, () => worker.wake()));
  cleanup.defer(bus.subscribe(topics.events, () => added.call()));
  cleanup.defer(bus.onGap(() => worker.wake()));
  return { channels: new Channels({ database, courier, box, clock }), worker };
}

function connectAddress(publicUrl: URL): string {
  const url = new URL(upstreamPath, publicUrl);
  url.protocol = publicUrl.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}
