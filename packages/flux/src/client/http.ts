import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import type { Environment } from "@weir/base";
import { transportError } from "./errors.ts";

/** A request to an API. */
export interface ApiRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A complete response. */
export interface ApiAnswer {
  readonly status: number;
  /** E.g. "502 Bad Gateway". */
  readonly statusLine: string;
  readonly contentType: string;
  readonly body: string;
}

/** Size limits for response bodies, in bytes. */
export interface AnswerLimits {
  readonly success: number;
  readonly refusal: number;
}

/** A response is larger than any valid one; the rest of it isn't read. */
export class AnswerTooLargeError extends Error {
  override readonly name = "AnswerTooLargeError";

  constructor(statusLine: string, limit: number) {
    super(`${statusLine}: the response is larger than ${limit} bytes`);
  }
}

/** The functions that node:http and node:https share. */
interface HttpModule {
  readonly request: (
    url: URL,
    options: RequestOptions,
    callback: (response: IncomingMessage) => void,
  ) => ClientRequest;
  readonly Agent: new (options: { keepAlive: boolean; proxyEnv?: Environment }) => Agent;
}

/** A connection that had been idle was lost before a response began. */
class IdleConnectionLostError extends Error {
  override readonly name = "IdleConnectionLostError";
}

/**
 * Sends requests to one server over persistent connections. A server may close an idle connection just as the next
 * request is sent on it; whether it has received that request isn't known then. So a GET is sent again, as Go's client
 * does, and a POST always has a new connection.
 *
 * Uses Node's HTTP client instead of fetch, which takes too long to load for a command line.
 */
export class HttpSender {
  readonly #env: Environment;
  readonly #limits: AnswerLimits;
  #agent: Agent | undefined;

  constructor(env: Environment, limits: AnswerLimits) {
    this.#env = env;
    this.#limits = limits;
  }

  /** Rejects with RequestError if there is no response. */
  async send(request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer> {
    const scheme = request.url.protocol.slice(0, -1);
    if (scheme !== "http" && scheme !== "https") {
      throw transportError(request, `unsupported protocol scheme "${scheme}"`);
    }
    const http: HttpModule = await (request.url.protocol === "https:"
      ? import("node:https")
      : import("node:http"));
    this.#agent ??= new http.Agent({ keepAlive: true, ...proxyFor(request.url, this.#env) });
    try {
      return await this.#exchange(http, this.#agent, request, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw transportError(request, error);
    }
  }

  async #exchange(
    http: HttpModule,
    agent: Agent,
    request: ApiRequest,
    signal: AbortSignal,
  ): Promise<ApiAnswer> {
    if (request.method === "POST") {
      closeIdleConnections(agent);
    }
    try {
      return await exchange(http, agent, request, this.#limits, signal);
    } catch (error) {
      if (!(error instanceof IdleConnectionLostError) || signal.aborted) {
        throw error;
      }
      closeIdleConnections(agent);
      return await exchange(http, agent, request, this.#limits, signal);
    }
  }

  /** Closes the connections. */
  close(): void {
    this.#agent?.destroy();
    this.#agent = undefined;
  }
}

/** Like in Go, requests to localhost never go through a proxy. */
function proxyFor({ hostname }: URL, proxyEnv: Environment): { proxyEnv?: Environment } {
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.") ? {} : { proxyEnv };
}

function closeIdleConnections({ freeSockets }: Agent): void {
  for (const socket of Object.values(freeSockets).flatMap((each) => each ?? [])) {
    socket.destroy();
  }
}

/** Rejects with IdleConnectionLostError if sending the request again, over another connection, may help. */
function exchange(
  { request }: HttpModule,
  agent: Agent,
  { method, url, headers, body }: ApiRequest,
  limits: AnswerLimits,
  signal: AbortSignal,
): Promise<ApiAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
    const options = { method, headers: { ...headers, ...length }, signal, agent };
    const outgoing = request(
      url,
      options,
      (response) => void readAnswer(response, limits).then(resolve, reject),
    );
    outgoing
      .on("error", (error) =>
        reject(outgoing.reusedSocket ? new IdleConnectionLostError(error.message, { cause: error }) : error),
      )
      .end(body);
  });
}

async function readAnswer(response: IncomingMessage, limits: AnswerLimits): Promise<ApiAnswer> {
  const status = response.statusCode ?? 0;
  const statusLine = `${status} ${response.statusMessage ?? ""}`.trimEnd();
  const limit = status < 300 ? limits.success : limits.refusal;
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop closes the connection, and with it the rest of the response.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) {
      throw new AnswerTooLargeError(statusLine, limit);
    }
    chunks.push(chunk);
  }
  const contentType = response.headers["content-type"] ?? "";
  return { status, statusLine, contentType, body: Buffer.concat(chunks).toString("utf8") };
}
