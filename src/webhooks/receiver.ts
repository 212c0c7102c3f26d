/**
 * Receives webhooks: requests from registries and git hosts at the URLs of flux-recv. Tells the daemon what changed.
 * Each message only says where to look; the daemon checks for itself.
 */

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type Clock, Deadline, type Logger, messageOf, webhookLimits } from "@weir/base";
import type { ApiServer } from "@weir/flux/api";
import { BodyTooLargeError, readBody } from "@weir/flux/serving";
import type { ListenLimits } from "../api/server/listen.ts";
import type { ServedEndpoint } from "./endpoints.ts";
import { type Hook, type HookAction, HookRefusedError, type Refusal, type Trust } from "./hook.ts";
import { judgeHook } from "./judge.ts";
import type { CountHook, HookOutcome } from "./metrics.ts";
import { RefusalLog } from "./refusal-log.ts";
import type { Get } from "./trust.ts";

/** Real senders are few and quick. These limits keep others from using up the memory or the connections of fluxd. */
export const receiverLimits: ListenLimits = {
  requestTimeout: 10_000,
  headersTimeout: 5_000,
  idleTimeout: 5_000,
  maxHeaderSize: webhookLimits.headers,
  maxConnections: webhookLimits.connections,
};

/** How long the actions for a request can take, in milliseconds; same as in flux-recv. */
const actionTimeout = 10_000;

interface Reply {
  readonly status: number;
  readonly text: string;
}

const replies = {
  accepted: { status: 200, text: "OK" },
  ignored: { status: 200, text: "OK" },
  unauthorized: { status: 401, text: "Unauthorized" },
  malformed: { status: 400, text: "Bad Request" },
  unavailable: { status: 503, text: "Service Unavailable" },
  unknown: { status: 404, text: "Not Found" },
  oversized: { status: 413, text: "Content Too Large" },
  failed: { status: 500, text: "Internal Server Error" },
} satisfies Readonly<Record<HookOutcome, Reply>>;

/** Creates the function that handles requests. Senders only learn the outcome of their own requests. */
export function createReceiver(options: ReceiverOptions): RequestListener {
  const receiver = new Receiver(options);
  return (request, response) => void receiver.answer(request, response);
}

export interface ReceiverOptions {
  /** By path. */
  readonly endpoints: ReadonlyMap<string, ServedEndpoint>;
  readonly api: Pick<ApiServer, "notifyChange">;
  readonly trust: Trust;
  /** Requests URLs of senders that ask to confirm a subscription. */
  readonly get: Get;
  readonly count: CountHook;
  readonly logger: Logger;
  readonly clock: Clock;
}

class Receiver {
  readonly #options: ReceiverOptions;
  readonly #refusals: RefusalLog;

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#refusals = new RefusalLog(options.logger, options.clock);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ""] = (request.url ?? "").split("?", 1);
    const endpoint = this.#options.endpoints.get(path);
    if (path === "/health") {
      send(response, { status: 200, text: "OK" });
    } else if (endpoint === undefined) {
      this.#options.count("", "unknown");
      send(response, replies.unknown);
    } else if (request.method !== "POST") {
      response.setHeader("Allow", "POST");
      send(response, { status: 405, text: "Method Not Allowed" });
    } else {
      const outcome = await this.#receive(request, endpoint);
      this.#options.count(endpoint.name, outcome);
      send(response, replies[outcome]);
    }
  }

  async #receive(request: IncomingMessage, endpoint: ServedEndpoint): Promise<HookOutcome> {
    const { trust } = this.#options;
    try {
      const hook = hookOf(request, await readBody(request, endpoint.source.maxBody));
      const actions = await judgeHook(hook, endpoint, trust);
      await Promise.all(actions.map((action) => this.#act(action)));
      return actions.length === 0 ? "ignored" : "accepted";
    } catch (error) {
      const isWhole = request.complete || error instanceof BodyTooLargeError;
      this.#tell(
        endpoint,
        isWhole ? messageOf(error) : "the connection closed before the whole body arrived",
      );
      return isWhole ? outcomeOf(error) : "malformed";
    }
  }

  async #act(action: HookAction): Promise<void> {
    if (action.kind === "confirm") {
      await this.#confirm(action.url);
    } else {
      const { api, clock } = this.#options;
      using limit = new Deadline(clock, actionTimeout);
      await api.notifyChange(action, limit.signal);
    }
  }

  /** If this fails, SNS sends the request again. */
  async #confirm(url: URL): Promise<void> {
    const { get, logger } = this.#options;
    try {
      await get(url);
    } catch (error) {
      const message = `cannot confirm the SNS subscription: ${messageOf(error)}`;
      throw new HookRefusedError("unavailable", message, { cause: error });
    }
    logger.log({ info: "confirmed the SNS subscription", host: url.hostname });
  }

  #tell({ path, shownPath, name }: ServedEndpoint, reason: string): void {
    this.#refusals.refused(path, { source: name, hook: shownPath }, reason);
  }
}

function hookOf({ headers }: IncomingMessage, body: Buffer): Hook {
  return { header: (name) => [headers[name.toLowerCase()] ?? ""].flat().join(", "), body };
}

function outcomeOf(error: unknown): Refusal | "oversized" | "failed" {
  if (error instanceof HookRefusedError) {
    return error.refusal;
  }
  return error instanceof BodyTooLargeError ? "oversized" : "failed";
}

function send(response: ServerResponse, { status, text }: Reply): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}
