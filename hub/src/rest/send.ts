import type { ServerResponse } from "node:http";
import { toProblemDetails } from "../problem/details.ts";

/** Sends an answer as JSON, or none at all for undefined. Nothing keeps a copy of it: it's for this caller only. */
export function sendAnswer(response: ServerResponse, answer: unknown): void {
  response.setHeader("Cache-Control", "no-store");
  if (answer === undefined) {
    response.writeHead(204).end();
  } else {
    response
      .writeHead(200, { "Content-Type": "application/json; charset=utf-8" })
      .end(JSON.stringify(answer));
  }
}

/** Sends an error as problem details, unless an answer was begun, which is broken off then. */
export function sendProblem(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const details = toProblemDetails(error);
  const { status, retryAfter } = details;
  response
    .writeHead(status, {
      "Content-Type": "application/problem+json; charset=utf-8",
      "Cache-Control": "no-store",
      ...(retryAfter === undefined ? {} : { "Retry-After": String(Math.ceil(retryAfter)) }),
      ...(status === 401 ? { "WWW-Authenticate": "Bearer" } : {}),
    })
    .end(JSON.stringify(details));
}
