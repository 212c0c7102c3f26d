/**
 * The HTTP API of the daemon: maps requests under /api/flux to the methods of an ApiServer, according to the
 * route table. After Flux v1's pkg/http/daemon.
 */

import { type ApiServer, apiBasePath, type Inspection } from "@weir/flux/api";
import { endpointsOf, serveApi } from "@weir/flux/serving";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import { refusalOf } from "./browser-gate.ts";
import { type KnownHosts, knownHosts } from "./known-hosts.ts";
import type { CountResponse } from "./metrics.ts";
import { type Profiling, serveProfiling } from "./profiling.ts";
import { readTarget } from "./target.ts";
import { mayPass } from "./token-gate.ts";

/** What a listener serves; each part is optional. */
export interface Served {
  readonly api?: ApiServer;
  /** Weir's additions to the API. */
  readonly inspection?: Inspection;
  /** The text of /metrics and its content type. */
  readonly metrics?: () => Promise<{ readonly contentType: string; readonly body: string }>;
  readonly profiling?: Profiling;
  /** The host names that callers can use; if absent, only those that don't need to be listed. */
  readonly hosts?: KnownHosts;
  /**
   * Returns the token that requests must contain, called for each request; "" means that no token is valid.
   * If absent, no token is required.
   */
  readonly token?: () => Promise<string>;
  /** Called with the status code of each response that was sent. */
  readonly countResponse?: CountResponse;
}

const profilesPath = "/debug/pprof";

/** The default if no host names are configured. */
const unlisted = knownHosts([], "");

/** Creates the application of a listener. */
export function createApp({
  api,
  inspection,
  metrics,
  profiling,
  hosts = unlisted,
  token,
  countResponse,
}: Served): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("strict routing");
  app.enable("case sensitive routing");
  app.set("query parser", false);
  if (countResponse) {
    app.use((_request, response, next) => {
      response.once("finish", () => countResponse(response.statusCode));
      next();
    });
  }
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

function keepStrangersOut(hosts: KnownHosts, request: Request, response: Response, next: NextFunction): void {
  const refusal = refusalOf(request, hosts);
  if (refusal === undefined) {
    next();
  } else {
    response.setHeader("X-Content-Type-Options", "nosniff");
    sendText(response, 403, `403 Forbidden: ${refusal}\n`);
  }
}

/** Passes on requests with normalized paths; redirects others. */
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

/**
 * The last resort, for our own bugs: reveals no internals. If a response has already begun, express ends it
 * early.
 */
function answerFault(error: unknown, _request: Request, response: Response, next: NextFunction): void {
  if (response.headersSent) {
    next(error);
  } else {
    sendText(response, 500, "500 internal server error\n");
  }
}
