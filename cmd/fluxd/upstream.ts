import { type Clock, type Logger, type Metrics, toError, version } from "@weir/base";
import type { ApiServer, Inspection } from "@weir/flux/api";
import { createInspector } from "../../src/api/server/inspector.ts";
import { runUpstream } from "../../src/api/upstream/connection.ts";
import { inferEndpoints } from "../../src/api/upstream/endpoints.ts";
import { EventPoster } from "../../src/api/upstream/event-poster.ts";
import { openConnectionGauge } from "../../src/api/upstream/metrics.ts";
import type { EventSink } from "../../src/daemon/ports.ts";
import { redactorOf, withoutPassword } from "../../src/git/redact.ts";
import type { UpstreamSettings } from "./settings.ts";

/** Works until it's told to stop; resolves when everything has ended. */
export interface Runnable {
  run(signal: AbortSignal): Promise<void>;
}

/** The connection to an upstream service, or none. */
export interface Upstream {
  /** For the daemon: where to send its events. */
  readonly events: { readonly eventSink?: EventSink };
  /** The daemon together with the connection that calls its API. */
  beside(daemon: Runnable & { readonly api: ApiServer & Inspection }): Runnable;
}

interface UpstreamContext {
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly cleanup: AsyncDisposableStack;
}

/** Removing shorter tokens would leave gaps in every message, and so reveal them. */
const shortestToken = 6;

/** Prepares the connection for --connect; doesn't connect before the daemon runs. */
export function openUpstream(settings: UpstreamSettings | undefined, given: UpstreamContext): Upstream {
  if (settings === undefined) {
    given.logger.log({ upstream: "no upstream URL given" });
    return { events: {}, beside: (daemon) => daemon };
  }
  const { metrics, clock, cleanup } = given;
  const logger = given.logger.with({ component: "upstream" });
  logger.log({ URL: withoutPassword(settings.url) });
  const endpoints = inferEndpoints(settings.url);
  const caller = { userAgent: `fluxd/${version}`, token: settings.token, clock };
  const poster = new EventPoster({ ...caller, url: endpoints.events });
  cleanup.defer(() => poster.close());
  const gauge = openConnectionGauge(metrics, endpoints.target);
  const { rpcTimeout } = settings;
  return {
    events: { eventSink: (event, signal) => poster.post(event, signal) },
    beside: (daemon) => {
      const called = { api: daemon.api, inspect: createInspector(daemon.api), rpcTimeout };
      const options = { ...caller, ...called, url: endpoints.daemon, gauge, logger };
      return { run: (signal) => runBoth(daemon, (stop) => runUpstream(options, stop), signal) };
    },
  };
}

/** Removes the token, and a password in the URL, from a text: an upstream may send them back to us. */
export function upstreamRedactor(settings: UpstreamSettings | undefined): (text: string) => string {
  if (settings === undefined) {
    return (text) => text;
  }
  const { token, url } = settings;
  const redactUrl = redactorOf(url);
  return (text) => redactUrl(token.length < shortestToken ? text : text.replaceAll(token, "<redacted>"));
}

/** If the upstream is permanently gone, stops the daemon cleanly, and then throws the reason. */
async function runBoth(
  daemon: Runnable,
  connection: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  const both = AbortSignal.any([signal, gone.signal]);
  const connected = connection(both).then(
    () => undefined,
    (error: unknown) => {
      gone.abort();
      return toError(error);
    },
  );
  await daemon.run(both).finally(() => gone.abort());
  const error = await connected;
  if (error !== undefined) {
    throw error;
  }
}
