import { type JsonValue, messageOf } from "@weir/base";
import { decodeFluxError, unauthorizedError } from "../api/errors.ts";
import { RequestError } from "./errors.ts";
import type { ApiAnswer } from "./http.ts";

const successes: readonly number[] = [200, 201, 202, 204];

/** True if the request succeeded. */
export function isSuccess({ status }: ApiAnswer): boolean {
  return successes.includes(status);
}

/** The error in a response: the server's JSON error if there is one, or else the status and the body. */
export function refusalOf({ status, statusLine, contentType, body }: ApiAnswer): Error {
  if (status === 401) {
    return unauthorizedError();
  }
  return (
    (contentType.startsWith("application/json") ? errorIn(body) : undefined) ??
    new RequestError(`executing HTTP request: ${statusLine} ${body}`, { status })
  );
}

function errorIn(body: string): Error | undefined {
  try {
    return decodeFluxError(JSON.parse(body) as JsonValue);
  } catch (error) {
    return new RequestError(`executing HTTP request: decoding response body of error: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
