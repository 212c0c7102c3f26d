import type { IncomingMessage, ServerResponse } from "node:http";
import { apiLimits, stringifyGoJson } from "@weir/base";
import { deprecatedEndpointError, unknownEndpointError } from "../api/errors.ts";
import { deprecatedVersions } from "../api/routes.ts";
import type { Bodies } from "./bodies.ts";
import { type Endpoints, findEndpoint } from "./endpoints.ts";
import {
  badRequestResponse,
  type ErrorResponse,
  errorResponse,
  errorResponseWith,
} from "./error-response.ts";
import { type Answer, type ApiRequest, BadRequestError, BodyTooLargeError } from "./request.ts";

/** Responds to one request whose URL begins with the base path of the API; never rejects. */
export async function serveApi(
  endpoints: Endpoints,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { accept } = request.headers;
  const url = new URL(`http://api${request.url ?? "/"}`);
  if (deprecatedVersions.some((version) => url.pathname.startsWith(`/${version}/`))) {
    sendError(response, errorResponseWith(410, deprecatedEndpointError(), accept));
    return;
  }
  const { pathname: path, searchParams: query } = url;
  const endpoint = findEndpoint(endpoints.all, { method: request.method ?? "", path, query });
  if (!endpoint) {
    sendError(response, errorResponseWith(404, unknownEndpointError(path), accept));
    return;
  }
  try {
    send(response, await endpoint.answer(apiRequest(url, request, response, endpoints.bodies)));
  } catch (error) {
    sendError(response, answerTo(error, accept));
  }
}

function apiRequest(
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  bodies: Bodies,
): ApiRequest {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) {
      gone.abort(new Error("the client went away"));
    }
  });
  return {
    query: url.searchParams,
    json: (limit = apiLimits.body) => bodies.json(request, limit),
    signal: gone.signal,
  };
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

/** Responds with an error. */
export function sendError(response: ServerResponse, error: ErrorResponse): void {
  const { status, contentType, body, retryAfter } = error;
  const later = retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
  response.writeHead(status, { "Content-Type": contentType, ...later }).end(body);
}
