/**
 * The HTTP API of the daemon. In flow requests under /api/flux, out flow answers of an ApiServer; the route
 * table says which belongs to which. After Flux v1's pkg/http/daemon.
 */

import { createServer, type RequestListener, type Server } from "node:http";
import { apiLimits } from "@weir/base";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import type { ApiServer } from "../types/api-server.ts";
import type { Inspection } from "../types/inspection.ts";
import { apiBasePath } from "../types/routes.ts";
import { parseAddress, printAddress } from "./address.ts";
import { refusalOf } from "./browser-gate.ts";
import { limitConnections } from "./connections.ts";
import { endpointsOf } from "./endpoints.ts";
import { type KnownHosts, knownHosts } from "./known-hosts.ts";
import { toListenError } from "./listen-error.ts";
import { type Profiling, serveProfiling } from "./profiling.ts";
import { serveApi } from "./serve-api.ts";
import { readTarget } from "./target.ts";
import { mayPass } from "./token-gate.ts";

/** What a listener serves; each part may be left out. */
export interface Served {
  readonly api?: ApiServer;
  /** What Weir adds to the API. */
  readonly inspection?: Inspection;
  /** The text of /metrics and its content type. */
  readonly metrics?: () => Promise<{ readonly contentType: string; readonly body: string }>;
  readonly profiling?: Profiling;
  /** By which names callers may ask; absent: by those alone that need not be listed. */
  readonly hosts?: KnownHosts;
  /** The token that requests must bear, asked for at each, "" for none that will do; absent: nobody is asked. */
  readonly token?: () => Promise<string>;
}

/** A listener that runs. */
export interface Listening {
  /** Host and port that it got, e.g. "127.0.0.1:3030". */
  readonly address: string;
  /** Ends open connections and stops. */
  stop(): Promise<void>;
}

const profilesPath = "/debug/pprof";

/** What clients of a listener may take. */
export interface ListenLimits {
  /** How long one may take to send a request, in milliseconds. */
  readonly requestTimeout: number;
  /** In bytes. */
  readonly maxHeaderSize: number;
  /** How long the headers alone may take. */
  readonly headersTimeout: number;
  /** How many may be connected; for further ones, those that keep us waiting are given up. */
  readonly maxConnections: number;
}

const usualLimits: ListenLimits = {
  requestTimeout: 30_000,
  headersTimeout: 30_000,
  maxHeaderSize: apiLimits.headers,
  maxConnections: apiLimits.connections,
};

/** Where nothing is known of names. */
const unlisted = knownHosts([], "");

/** Makes the application of a listener. */
export function createApp({ api, inspection, metrics, profiling, hosts = unlisted, token }: Served): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("strict routing");
  app.enable("case sensitive routing");
  app.set("query parser", false);
  app.use((request, response, next) => keepStrangersOut(hosts, request, response, next));
  app.use(tidyUp);
  if (token) {
    app.use((request, response, next) => askForToken(token, request, response, next));
  }
  if (metrics) {
    app.all("/metrics", (_request, response) => sendMetrics(response, metrics));
  }
  if (api) {
    const endpoints = endpointsOf(api, inspection);
    app.all(apiBasePath, (request, response) => {
      redirect(response, request.url.replace(apiBasePath, `${apiBasePath}/`));
    });
    app.use(apiBasePath, (request, response) => serveApi(endpoints, request, response));
  }
  if (profiling) {
    app.all(profilesPath, (request, response) => {
      redirect(response, request.url.replace(profilesPath, `${profilesPath}/`));
    });
    app.use(profilesPath, (request, response) => serveProfiling(profiling, request, response));
  }
  app.use((_request, response) => {
    response.setHeader("X-Content-Type-Options", "nosniff");
    sendText(response, 404, "404 page not found\n");
  });
  app.use(answerFault);
  return app;
}

/** Listens on "host:port" (":3030" is all interfaces). Rejects with ListenError. */
export async function listen(
  app: RequestListener,
  address: string,
  { requestTimeout, headersTimeout, maxHeaderSize, maxConnections }: ListenLimits = usualLimits,
): Promise<Listening> {
  const { host, port } = parseAddress(address);
  const times = {
    requestTimeout,
    headersTimeout,
    connectionsCheckingInterval: headersTimeout / 2,
  };
  const server = createServer({ ...times, maxHeaderSize }, app);
  limitConnections(server, maxConnections);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(toListenError(address, error)));
    server.listen({ port, ...(host === "" ? {} : { host }) }, resolve);
  });
  // A connection that cannot be taken for want of file descriptors: the next may be, so nothing has to end.
  server.on("error", () => undefined);
  return { address: printAddress(server.address()), stop: () => stop(server) };
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function keepStrangersOut(hosts: KnownHosts, request: Request, response: Response, next: NextFunction): void {
  const refusal = refusalOf(request, hosts);
  if (refusal === undefined) {
    next();
  } else {
    response.setHeader("X-Content-Type-Options", "nosniff");
    sendText(response, 403, `403 Forbidden: ${refusal}\n`);
  }
}

/** Lets clean paths through, written in one way; leads others to them. */
function tidyUp(request: Request, response: Response, next: NextFunction): void {
  const target = readTarget(request.url);
  switch (target.kind) {
    case "clean":
      request.url = target.url;
      next();
      break;
    case "moved":
      redirect(response, target.location);
      break;
    case "broken":
      response.setHeader("Connection", "close");
      sendText(response, 400, "400 Bad Request");
      break;
  }
}

async function askForToken(
  token: NonNullable<Served["token"]>,
  request: Request,
  response: Response,
  next: NextFunction,
): Promise<void> {
  if (mayPass(request, await token())) {
    next();
  } else {
    response.setHeader("WWW-Authenticate", "Bearer");
    sendText(response, 401, "401 Unauthorized: send the token, e.g. with fluxctl --token\n");
  }
}

function redirect(response: Response, location: string): void {
  response.writeHead(301, { Location: location }).end();
}

async function sendMetrics(response: Response, metrics: NonNullable<Served["metrics"]>): Promise<void> {
  const { contentType, body } = await metrics();
  response.writeHead(200, { "Content-Type": contentType }).end(body);
}

function sendText(response: Response, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(text);
}

/** The last resort, for a fault of ours: shows no insides. What has begun to be answered, express cuts short. */
function answerFault(error: unknown, _request: Request, response: Response, next: NextFunction): void {
  if (response.headersSent) {
    next(error);
  } else {
    sendText(response, 500, "500 internal server error\n");
  }
}
