import { type Clock, type Logger, type Metrics, toError, version } from "@weir/base";
import type { ApiServer } from "../../src/api/types/api-server.ts";
import { runUpstream } from "../../src/api/upstream/connection.ts";
import { inferEndpoints } from "../../src/api/upstream/endpoints.ts";
import { EventPoster } from "../../src/api/upstream/event-poster.ts";
import { declareConnectionGauge } from "../../src/api/upstream/metrics.ts";
import type { EventSink } from "../../src/daemon/ports.ts";
import { redactorOf, withoutPassword } from "../../src/git/redact.ts";
import type { UpstreamSettings } from "./settings.ts";

/** Works until it is told to stop; resolves when all has ended. */
export interface Runnable {
  run(signal: AbortSignal): Promise<void>;
}

/** A service that fluxd is connected to, or none. */
export interface Upstream {
  /** For the daemon: where its events go. */
  readonly events: { readonly eventSink?: EventSink };
  /** The daemon together with the connection through which it is called. */
  beside(daemon: Runnable & ApiServer): Runnable;
}

interface UpstreamContext {
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly cleanup: AsyncDisposableStack;
}

/** Tokens shorter than this would tear holes into every message, and so be told by them. */
const shortestToken = 6;

/** Prepares what --connect asks for; nothing is dialled before the daemon runs. */
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
  const gauge = declareConnectionGauge(metrics, endpoints.target);
  const { rpcTimeout } = settings;
  return {
    events: { eventSink: (event, signal) => poster.post(event, signal) },
    beside: (daemon) => ({
      run: (signal) =>
        runBoth(
          daemon,
          (stop) =>
            runUpstream({ ...caller, url: endpoints.daemon, api: daemon, rpcTimeout, gauge, logger }, stop),
          signal,
        ),
    }),
  };
}

/** Takes the token, and a password in the URL, out of a text: an upstream may say them back to us. */
export function upstreamRedactor(settings: UpstreamSettings | undefined): (text: string) => string {
  if (settings === undefined) {
    return (text) => text;
  }
  const { token, url } = settings;
  const redactUrl = redactorOf(url);
  return (text) => redactUrl(token.length < shortestToken ? text : text.replaceAll(token, "<redacted>"));
}

/** An upstream that is gone for good ends the daemon in order; then its reason is thrown. */
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
