import { stringifyGoJson, toError } from "@weir/base";
import { coverAllError, encodeFluxError } from "../api/errors.ts";
import { FluxError, type FluxErrorKind } from "../errors/flux-error.ts";
import { preferredForm } from "./accept.ts";
import { BadRequestError, BodyTooLargeError } from "./request.ts";

/** An error that's answered with another status than that of its kind, such as 403. */
export class ErrorWithStatus extends FluxError {
  readonly status: number;

  constructor(status: number, { kind, message, advice }: FluxError) {
    super(kind, message, advice);
    this.status = status;
  }
}

/** A response to send: status, type, and text. */
export interface ErrorResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** In seconds; undefined if a retry wouldn't help. */
  readonly retryAfter?: number;
}

const jsonType = "application/json; charset=utf-8";
const textType = "text/plain; charset=utf-8";

const statusOf: Readonly<Record<FluxErrorKind, number>> = {
  missing: 404,
  user: 422,
  server: 500,
  busy: 503,
};

/** The Retry-After time when fluxd is busy, in seconds. */
const retryAfter = 5;

/**
 * The response to anything that was thrown: the status depends on whose fault it was, the body on what the
 * client accepts. An error that isn't a FluxError becomes a user error with general advice. Errors
 * become responses only here. As Flux v1's pkg/http ErrorResponse.
 */
export function errorResponse(error: unknown, accept: string | undefined): ErrorResponse {
  const fluxError = fluxErrorOf(error);
  if (fluxError instanceof ErrorWithStatus) {
    return errorResponseWith(fluxError.status, fluxError, accept);
  }
  const response = errorResponseWith(statusOf[fluxError.kind], fluxError, accept);
  return fluxError.kind === "busy" ? { ...response, retryAfter } : response;
}

/** What is sent of an error to a client that reads JSON, whatever the status. */
export function fluxErrorOf(error: unknown): FluxError {
  if (error instanceof FluxError) {
    return error;
  }
  const isBadRequest = error instanceof BadRequestError || error instanceof BodyTooLargeError;
  return isBadRequest ? badRequestError(error.message) : coverAllError(toError(error));
}

/**
 * Like errorResponse, but with another status, for routing errors (410 for an API version that has ended).
 */
export function errorResponseWith(
  status: number,
  error: FluxError,
  accept: string | undefined,
): ErrorResponse {
  switch (preferredForm(accept)) {
    case "json":
      return {
        status,
        contentType: jsonType,
        body: stringifyGoJson(encodeFluxError(error), { sortKeys: false }),
      };
    case "help":
      return { status, contentType: textType, body: error.advice };
    case "message":
      return { status, contentType: textType, body: error.message };
  }
}

/**
 * The response to an invalid request (400, or the given status). If JSON is requested, Flux v1 marshals the
 * bare error, which loses the message ({}); Weir sends the message in the format of its other errors. As
 * text, it's the bare message, as in Flux v1.
 */
export function badRequestResponse(message: string, accept: string | undefined, status = 400): ErrorResponse {
  const asText = { status, contentType: textType, body: message };
  return preferredForm(accept) === "json"
    ? errorResponseWith(status, badRequestError(message), accept)
    : asText;
}

function badRequestError(message: string): FluxError {
  return new FluxError("user", message, `${message}\n`);
}
