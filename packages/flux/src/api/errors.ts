import { type JsonObject, JsonReader, type JsonValue } from "@weir/base";
import { FluxError, type FluxErrorKind } from "../errors/flux-error.ts";

/** The server has no route for the request: it's older than the client, or a different server. */
export class UnknownEndpointError extends FluxError {
  constructor(advice: string) {
    super("missing", unknownEndpoint, advice);
  }
}

/** This message, which is Flux v1's, identifies the error on the wire. */
const unknownEndpoint = "API endpoint not found";

/** {"type", "help", "error"?}: an error as the API sends it. */
export function encodeFluxError(error: FluxError): JsonObject {
  return {
    type: error.kind === "busy" ? "user" : error.kind,
    help: error.advice,
    ...(error.message === "" ? {} : { error: error.message }),
  };
}

/**
 * Decodes an error from encodeFluxError; undefined for other JSON, which servers in between can send. Throws
 * JsonShapeError if a field has the wrong type.
 */
export function decodeFluxError(value: JsonValue): FluxError | undefined {
  const reader = new JsonReader(value);
  const message = reader.text("error");
  if (message === "") {
    return undefined;
  }
  const [kind, advice] = [kindOf(reader.text("type")), reader.text("help")];
  return kind === "missing" && message === unknownEndpoint
    ? new UnknownEndpointError(advice)
    : new FluxError(kind, message, advice);
}

function kindOf(text: string): FluxErrorKind {
  return text === "missing" || text === "user" ? text : "server";
}

/**
 * Wraps any other error, with advice that repeats it; the API reports it as a user error. As Flux v1.
 */
export function coverAllError(error: Error): FluxError {
  const advice = `Error: ${error.message}

We don't have a specific help message for the error above.

It would help us remedy this if you log an issue at

    https://github.com/fluxcd/flux/issues

saying what you were doing when you saw this, and quoting the message
at the top.
`;
  return new FluxError("user", error.message, advice, { cause: error });
}

/** The response to requests for API versions that no longer exist. */
export function deprecatedEndpointError(): FluxError {
  const advice = `The API endpoint requested appears to have been deprecated.

This indicates your client (fluxctl) needs to be updated: please see

    https://github.com/fluxcd/flux/releases

If you still have this problem after upgrading, please file an issue at

    https://github.com/fluxcd/flux/issues

mentioning what you were attempting to do.
`;
  return new FluxError("missing", "API endpoint deprecated", advice);
}

/** The response to requests that no route matches; `path` is relative to the base path. */
export function unknownEndpointError(path: string): UnknownEndpointError {
  const advice = `The API endpoint requested is not supported by this server.

This indicates that your client (probably fluxctl) is either out of
date, or faulty. Please see

    https://github.com/fluxcd/flux/releases

for releases of fluxctl.

If you still have problems, please file an issue at

    https://github.com/fluxcd/flux/issues

mentioning what you were attempting to do, and include this path:

    ${path}
`;
  return new UnknownEndpointError(advice);
}

/** The client's error for status 401, whatever the body. */
export function unauthorizedError(): FluxError {
  const advice = `The request failed authentication

This most likely means you have a missing or incorrect token. Please
make sure you supply a service token, either by setting the
environment variable FLUX_SERVICE_TOKEN, or using the argument --token
with fluxctl.

`;
  return new FluxError("user", "request failed authentication", advice);
}
