import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer } from "node:https";

/** A web server on a free loopback port that a test controls. */
export interface HttpServer extends AsyncDisposable {
  readonly url: string;
  readonly server: Server;
  /** "GET /path", in order. */
  readonly asked: string[];
}

/** Answers each request with `handle`; uses TLS if a key and certificate are given. */
export async function serve(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  tls?: { readonly key: string; readonly cert: string; readonly requestCert?: boolean },
): Promise<HttpServer> {
  const asked: string[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push(`${request.method ?? ""} ${request.url ?? ""}`);
    handle(request, response);
  };
  const server =
    tls === undefined
      ? createServer(listener)
      : createSecureServer({ ...tls, rejectUnauthorized: false }, listener);
  keepIdleConnections(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    server,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Lets a server close no idle connection by itself, as Node's servers do after 5 s: on a busy machine, the next request may
 * arrive just then, and get no answer.
 */
export function keepIdleConnections(server: Pick<Server, "keepAliveTimeout">): void {
  server.keepAliveTimeout = 0;
}

/** A JSON response. */
export interface Answer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Record<string, string>;
}

/** Sends a JSON response. */
export function answer(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
}
