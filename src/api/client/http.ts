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

/** An answer, read to its end. */
export interface ApiAnswer {
  readonly status: number;
  /** E.g. "502 Bad Gateway". */
  readonly statusLine: string;
  readonly contentType: string;
  readonly body: string;
}

/** How long the bodies of answers may be, in bytes. */
export interface AnswerLimits {
  readonly success: number;
  readonly refusal: number;
}

/** An answer is longer than any that makes sense; what was to come of it is not read. */
export class AnswerTooLargeError extends Error {
  override readonly name = "AnswerTooLargeError";

  constructor(statusLine: string, limit: number) {
    super(`${statusLine}: the answer is larger than ${limit} bytes`);
  }
}

/** The part of node:http that its sister for TLS has, too. */
interface HttpModule {
  readonly request: (
    url: URL,
    options: RequestOptions,
    callback: (response: IncomingMessage) => void,
  ) => ClientRequest;
  readonly Agent: new (options: { keepAlive: boolean; proxyEnv?: Environment }) => Agent;
}

/**
 * Sends requests to one server over connections that it keeps. Node's HTTP client, not fetch: a command line
 * should not spend its time on loading one.
 */
export class HttpSender {
  readonly #env: Environment;
  readonly #limits: AnswerLimits;
  #agent: Agent | undefined;

  constructor(env: Environment, limits: AnswerLimits) {
    this.#env = env;
    this.#limits = limits;
  }

  /** Rejects with RequestError where there is no answer. */
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
      return await exchange(http, this.#agent, request, this.#limits, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw transportError(request, error);
    }
  }

  /** Gives the connections back. */
  close(): void {
    this.#agent?.destroy();
    this.#agent = undefined;
  }
}

/** As Go: this machine is never reached through a proxy. */
function proxyFor({ hostname }: URL, proxyEnv: Environment): { proxyEnv?: Environment } {
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.") ? {} : { proxyEnv };
}

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
    request(url, options, (response) => void readAnswer(response, limits).then(resolve, reject))
      .on("error", reject)
      .end(body);
  });
}

async function readAnswer(response: IncomingMessage, limits: AnswerLimits): Promise<ApiAnswer> {
  const status = response.statusCode ?? 0;
  const statusLine = `${status} ${response.statusMessage ?? ""}`.trimEnd();
  const limit = status < 300 ? limits.success : limits.refusal;
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop ends the connection, and with it what would still come.
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
