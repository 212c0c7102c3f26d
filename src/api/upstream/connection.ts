/**
 * fluxd's connection to its upstream: the daemon connects, and the upstream calls methods over the
 * connection. When it ends, the daemon connects again. As Flux v1's pkg/http/daemon/upstream.go.
 */
import { type Logger, messageOf } from "@weir/base";
import type { Channel } from "@weir/flux/websocket";
import type { CallOptions } from "./call.ts";
import { dial } from "./dial.ts";
import { EndpointGoneError } from "./errors.ts";
import type { ConnectionGauge } from "./metrics.ts";
import { RpcSession } from "./rpc.ts";

/**
 * The wait between the end of a connection, or of an attempt, and the next attempt, in milliseconds. As Flux
 * v1.
 */
const redialDelay = 5_000;

/** How often the age of the connection is updated, in milliseconds. */
const gaugePeriod = 1_000;

/**
 * Maintains the connection until `signal` is aborted, then closes it and resolves. Rejects with
 * EndpointGoneError if the upstream no longer supports this protocol version.
 */
export async function runUpstream(options: UpstreamOptions, signal: AbortSignal): Promise<void> {
  const { clock, gauge } = options;
  const attempts = new AttemptLog(options.logger);
  while (!signal.aborted) {
    gauge(0);
    attempts.begin();
    const channel = await dial(options, signal).catch((error: unknown) => attempts.failed(error, signal));
    if (channel) {
      attempts.succeeded();
      await serve(channel, options, signal);
      attempts.ended();
    }
    await clock.sleep(redialDelay, signal).catch(() => undefined);
  }
}

export interface UpstreamOptions extends CallOptions {
  /** The URL of the websocket. */
  readonly url: URL;
  readonly userAgent: string;
  /** "" for none. */
  readonly token: string;
  readonly gauge: ConnectionGauge;
}

async function serve(channel: Channel, options: UpstreamOptions, signal: AbortSignal): Promise<void> {
  const { logger } = options;
  const close = (): void => void channel.close();
  signal.addEventListener("abort", close, { once: true });
  if (signal.aborted) {
    close();
  }
  void tellAge(channel, options);
  await new RpcSession(channel, options).run();
  signal.removeEventListener("abort", close);
  const { error } = await channel.closed;
  logger.log({ disconnected: true });
  logger.log({ "connection closing": true, err: error ?? null });
}

async function tellAge({ signal }: Channel, { clock, gauge }: UpstreamOptions): Promise<void> {
  const connectedAt = clock.now();
  while (!signal.aborted) {
    gauge((clock.now() - connectedAt) / 1000);
    await clock.sleep(gaugePeriod, signal).catch(() => undefined);
  }
  gauge(0);
}

/** Logs connection attempts; repeated failures with the same error are logged once. */
class AttemptLog {
  readonly #logger: Logger;
  #last = "";

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  begin(): void {
    if (this.#last === "") {
      this.#logger.log({ connecting: true });
    }
  }

  succeeded(): void {
    this.#logger.log({ connected: true });
  }

  ended(): void {
    this.#last = "";
  }

  /** Throws if another attempt wouldn't help. */
  failed(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) {
      return;
    }
    if (error instanceof EndpointGoneError) {
      throw error;
    }
    const message = messageOf(error);
    if (message !== this.#last) {
      this.#last = message;
      this.#logger.log({ err: message });
    }
  }
}
