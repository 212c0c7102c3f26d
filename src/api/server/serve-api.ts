import type { IncomingMessage, ServerResponse } from "node:http";
import { stringifyGoJson } from "../../base/go-json.ts";
import type { ApiServer } from "../types/api-server.ts";
import { deprecatedEndpointError, unknownEndpointError } from "../types/errors.ts";
import { deprecatedVersions, type Route, routes } from "../types/routes.ts";
import {
  badRequestResponse,
  type ErrorResponse,
  errorResponse,
  errorResponseWith,
} from "./error-response.ts";
import { type Answer, type Handler, handlers } from "./handlers.ts";
import { type ApiRequest, BadRequestError, BodyTooLargeError, readJsonBody } from "./request.ts";

/** Answers one request whose URL begins below the base path of the API; never rejects. */
export async function serveApi(
  api: ApiServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { accept } = request.headers;
  const url = new URL(`http://api${request.url ?? "/"}`);
  if (deprecatedVersions.some((version) => url.pathname.startsWith(`/${version}/`))) {
    sendError(response, errorResponseWith(410, deprecatedEndpointError(), accept));
    return;
  }
  const handler = handlerOf(request.method ?? "", url);
  if (!handler) {
    sendError(response, errorResponseWith(404, unknownEndpointError(url.pathname), accept));
    return;
  }
  try {
    send(response, await handler(api, apiRequest(url, request, response)));
  } catch (error) {
    sendError(response, answerTo(error, accept));
  }
}

function apiRequest(url: URL, request: IncomingMessage, response: ServerResponse): ApiRequest {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) {
      gone.abort(new Error("the client went away"));
    }
  });
  return { query: url.searchParams, json: () => readJsonBody(request), signal: gone.signal };
}

/** The handler whose route takes the request: method, path and required query keys all count. */
function handlerOf(method: string, url: URL): Handler | undefined {
  for (const [name, route] of Object.entries(routes) as [keyof typeof routes, Route][]) {
    if (matches(route, method, url)) {
      return handlers[name];
    }
  }
  return undefined;
}

function matches({ methods, path, requiredQuery = [] }: Route, method: string, url: URL): boolean {
  return (
    url.pathname === path &&
    methods.some((each) => each === method) &&
    requiredQuery.every((key) => url.searchParams.has(key))
  );
}

function answerTo(error: unknown, accept: string | undefined): ErrorResponse {
  if (error instanceof BadRequestError) {
    return badRequestResponse(error.message, accept);
  }
  if (error instanceof BodyTooLargeError) {
    return badRequestResponse(error.message, accept, 413);
  }
  return errorResponse(error, accept);
}

function send(response: ServerResponse, answer: Answer): void {
  if (answer.status === 200) {
    const body = stringifyGoJson(answer.json, { sortKeys: false });
    response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" }).end(body);
  } else {
    response.writeHead(answer.status).end();
  }
}

function sendError(response: ServerResponse, { status, contentType, body }: ErrorResponse): void {
  response.writeHead(status, { "Content-Type": contentType }).end(body);
}
