/** The console's HTTP server: passes requests on to the page and the REST API, to Flux's API, or to whoever watches. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { apiLimits } from "@weir/base";
import { parseAddress, printAddress, toListenError } from "@weir/flux/serving";
import type { Express, NextFunction, Request, RequestHandler, Response } from "express";
import { upstreamPath } from "../daemons/hub.ts";
import { apiPrefix } from "../rest/openapi.ts";
import { plainApp } from "../rest/plain-app.ts";
import type { ConsoleMetrics } from "./open-metrics.ts";

/** What the server passes requests on to. */
export interface ServedParts {
  /** The page, the REST API, and what leads to an identity provider; it leaves other paths to what follows. */
  readonly app: readonly RequestHandler[];
  readonly flux: (request: IncomingMessage, response: Response) => Promise<void> | void;
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Rejects if the console can't answer requests. */
  readonly ready: () => Promise<void>;
  readonly metrics: ConsoleMetrics;
  /** False if metrics have a listener of their own. */
  readonly showsMetrics: boolean;
}

/** A server that listens. */
export interface ListeningServer {
  /** The host and port, e.g. "127.0.0.1:8080". */
  readonly address: string;
  /** Accepts no more connections, and resolves when all have ended: at the latest after `graceMs`, when it ends them. */
  stop(graceMs: number): Promise<void>;
}

/** Load balancers keep connections for a minute, and must not use one that was just closed. */
const keepAliveMs = 75_000;

/** Daemons and pages, and as many again that reconnect. */
const mostConnections = 20_000;

/** Listens on an address like ":8080". Rejects with ListenError. */
export function listenForConsole(parts: ServedParts, address: string): Promise<ListeningServer> {
  const server = newServer(appOf(parts));
  server.on("upgrade", (request, socket: Duplex, head) => {
    socket.on("error", () => undefined);
    if (isBelow(pathOf(request), upstreamPath)) {
      parts.upgrade(request, socket, head);
    } else {
      socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    }
  });
  return listenWith(server, address);
}

/** Listens for requests for metrics only. Rejects with ListenError. */
export function listenForMetrics(metrics: ConsoleMetrics, address: string): Promise<ListeningServer> {
  const app = plainApp();
  app.all("/metrics", (_request, response) => sendMetrics(metrics, response));
  app.use((_request, response) => sendText(response, 404, "404 not found: metrics are at /metrics\n"));
  return listenWith(newServer(app), address);
}

function newServer(listener: RequestListener): Server {
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 30_000, maxHeaderSize: apiLimits.headers },
    listener,
  );
  server.on("request", (_request, response) =>
    response.once("close", () => setImmediate(() => closeIfStopping(server))),
  );
  server.keepAliveTimeout = keepAliveMs;
  server.maxConnections = mostConnections;
  return server;
}

/** Otherwise, a connection that was busy when the server began to stop would be kept for the next request. */
function closeIfStopping(server: Server): void {
  if (!server.listening) {
    server.closeIdleConnections();
  }
}

async function listenWith(server: Server, address: string): Promise<ListeningServer> {
  const { host, port } = parseAddress(address);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(toListenError(address, error)));
    server.listen({ port, ...(host === "" ? {} : { host }) }, resolve);
  });
  // A connection that can't be accepted because there are no file descriptors left; the next one may work.
  server.on("error", () => undefined);
  return { address: printAddress(server.address()), stop: (graceMs) => stop(server, graceMs) };
}

function stop(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function appOf(parts: ServedParts): Express {
  const { metrics, showsMetrics, app: own } = parts;
  const app = plainApp();
  app.all("/healthz", (_request, response) => sendText(response, 200, "ok\n"));
  app.all("/readyz", (_request, response) => sendReadiness(parts, response));
  if (showsMetrics) {
    app.all("/metrics", (_request, response) => sendMetrics(metrics, response));
  }
  app.use(measured(metrics));
  app.use((request, response, next) =>
    isBelow(request.path, upstreamPath) ? parts.flux(request, response) : next(),
  );
  own.forEach((each) => app.use(each));
  app.use((_request, response) =>
    sendText(response, 404, `404 not found: the REST API is below ${apiPrefix}\n`),
  );
  app.use(answerFault);
  return app;
}

function measured(metrics: ConsoleMetrics): RequestHandler {
  return ({ path }, response, next) => {
    if (path !== `${apiPrefix}/stream`) {
      const of = isBelow(path, upstreamPath) ? "flux" : isBelow(path, apiPrefix) ? "api" : "page";
      const begun = performance.now();
      response.once("finish", () =>
        metrics.observeRequest(of, response.statusCode, (performance.now() - begun) / 1000),
      );
    }
    next();
  };
}

async function sendReadiness({ ready }: ServedParts, response: Response): Promise<void> {
  try {
    await ready();
    sendText(response, 200, "ok\n");
  } catch {
    // The reason is in the log: probes come from anywhere.
    sendText(response, 503, "not ready\n");
  }
}

async function sendMetrics({ exposition }: ConsoleMetrics, response: Response): Promise<void> {
  const { contentType, body } = await exposition();
  response.writeHead(200, { "Content-Type": contentType, "Cache-Control": "no-store" }).end(body);
}

function sendText(response: Response, status: number, text: string): void {
  response
    .writeHead(status, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" })
    .end(text);
}

/** The last resort, for our own bugs: reveals no internals. Express ends a response early that has begun. */
function answerFault(error: unknown, _request: Request, response: Response, next: NextFunction): void {
  if (response.headersSent) {
    next(error);
  } else {
    sendText(response, 500, "500 internal server error\n");
  }
}

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

function pathOf({ url = "/" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "/";
}
