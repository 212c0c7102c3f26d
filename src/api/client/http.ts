import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
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

/** Variables of the environment that may name a proxy: HTTP_PROXY and its kin. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/** The part of node:http that its sister for TLS has, too. */
interface HttpModule {
  readonly request: (
    url: URL,
    options: RequestOptions,
    callback: (response: IncomingMessage) => void,
  ) => ClientRequest;
  readonly Agent: new (options: { keepAlive: boolean; proxyEnv?: ProxyEnvironment }) => Agent;
}

/**
 * Sends requests to one server over connections that it keeps. Node's HTTP client, not fetch: a command line
 * should not spend its time on loading one.
 */
export class HttpSender {
  readonly #env: ProxyEnvironment;
  #agent: Agent | undefined;

  constructor(env: ProxyEnvironment) {
    this.#env = env;
  }

  /** Rejects with RequestError where there is no answer. */
  async send(request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer> {
    const http: HttpModule = await (request.url.protocol === "https:"
      ? import("node:https")
      : import("node:http"));
    this.#agent ??= new http.Agent({ keepAlive: true, ...proxyFor(request.url, this.#env) });
    try {
      return await exchange(http, this.#agent, request, signal);
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
function proxyFor({ hostname }: URL, proxyEnv: ProxyEnvironment): { proxyEnv?: ProxyEnvironment } {
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.") ? {} : { proxyEnv };
}

function exchange(
  { request }: HttpModule,
  agent: Agent,
  { method, url, headers, body }: ApiRequest,
  signal: AbortSignal,
): Promise<ApiAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
    const options = { method, headers: { ...headers, ...length }, signal, agent };
    request(url, options, (response) => readAnswer(response, resolve, reject))
      .once("error", reject)
      .end(body);
  });
}

function readAnswer(
  response: IncomingMessage,
  resolve: (answer: ApiAnswer) => void,
  reject: (error: Error) => void,
): void {
  const status = response.statusCode ?? 0;
  const statusLine = `${status} ${response.statusMessage ?? ""}`.trimEnd();
  const contentType = response.headers["content-type"] ?? "";
  let body = "";
  response
    .setEncoding("utf8")
    .on("data", (text: string) => (body += text))
    .once("end", () => resolve({ status, statusLine, contentType, body }))
    .once("error", reject);
}
