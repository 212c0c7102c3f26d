import type { IncomingMessage, ServerResponse } from "node:http";
import { type HttpServer, serve } from "@weir/testing";

/** A request that came in. */
export interface ApiCall {
  /** "GET /v6/services?namespace=", below the base path. */
  readonly line: string;
  readonly token: string | undefined;
  /** The JSON that was sent; undefined without a body. */
  readonly body: unknown;
}

/** How a call is answered. */
export interface ApiAnswer {
  readonly status?: number;
  /** Sent as JSON, unless it is a text. */
  readonly json?: unknown;
  readonly text?: string;
}

const base = "/api/flux";

/** The HTTP API of a daemon that answers what a test tells it, and keeps what it was asked. */
export class ScriptedApi implements AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly calls: ApiCall[] = [];
  readonly #server: HttpServer;

  private constructor(server: HttpServer) {
    this.#server = server;
    this.url = `${server.url}${base}`;
    this.port = Number(new URL(server.url).port);
  }

  /** `script` is asked for each call; undefined answers 404. */
  static async start(script: (call: ApiCall) => ApiAnswer | undefined): Promise<ScriptedApi> {
    const server = await serve((request, response) => {
      void readCall(request).then((call) => {
        api.calls.push(call);
        send(response, script(call) ?? { status: 404, text: "not scripted" });
      });
    });
    const api = new ScriptedApi(server);
    return api;
  }

  /** One that takes every call and never answers. */
  static async silent(): Promise<ScriptedApi> {
    return new ScriptedApi(await serve(() => undefined));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}

async function readCall(request: IncomingMessage): Promise<ApiCall> {
  let text = "";
  for await (const chunk of request) {
    text += String(chunk);
  }
  return {
    line: `${request.method ?? ""} ${(request.url ?? "").replace(base, "")}`,
    token: request.headers.authorization,
    body: text === "" ? undefined : (JSON.parse(text) as unknown),
  };
}

function send(response: ServerResponse, { status = 200, json, text }: ApiAnswer): void {
  const type = text === undefined ? "application/json; charset=utf-8" : "text/plain; charset=utf-8";
  response.writeHead(status, { "Content-Type": type });
  response.end(status === 204 ? undefined : (text ?? JSON.stringify(json)));
}
