import { stringifyGoJson, toError } from "@weir/base";
import { FluxError, type FluxErrorKind } from "../../errors/flux-error.ts";
import { coverAllError, encodeFluxError } from "../types/errors.ts";
import { preferredForm } from "./accept.ts";

/** An answer to be sent: status, type and text. */
export interface ErrorResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** In seconds; undefined where asking again is not what is needed. */
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

/** When to come back where fluxd is busy, in seconds. */
const retryAfter = 5;

/**
 * How anything that was thrown is answered: the status by whose fault it was, the body by what the client
 * accepts. An error that is not a FluxError becomes one of the user's, with a general help text. The one
 * place where errors cross to the wire. As Flux v1's pkg/http ErrorResponse.
 */
export function errorResponse(error: unknown, accept: string | undefined): ErrorResponse {
  const fluxError = error instanceof FluxError ? error : coverAllError(toError(error));
  const response = errorResponseWith(statusOf[fluxError.kind], fluxError, accept);
  return fluxError.kind === "busy" ? { ...response, retryAfter } : response;
}

/** The same with another status, for errors of routing (410 of a version that has ended). */
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
      return { status, contentType: textType, body: error.help };
    case "message":
      return { status, contentType: textType, body: error.message };
  }
}

/**
 * A request that could not be read (400, or the status given). Flux v1 marshals the bare error where JSON is
 * asked for, which loses the message ({}); Weir sends the message in the shape of its other errors. As text it
 * is the bare message, as in Flux v1.
 */
export function badRequestResponse(message: string, accept: string | undefined, status = 400): ErrorResponse {
  const asText = { status, contentType: textType, body: message };
  return preferredForm(accept) === "json"
    ? errorResponseWith(status, new FluxError("user", message, `${message}\n`), accept)
    : asText;
}
