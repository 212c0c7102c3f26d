/** Serves Flux v1's HTTP API for any ApiServer: routes, bodies, and errors as Flux writes them. */
export { parseAddress, printAddress } from "./address.ts";
export { Bodies } from "./bodies.ts";
export { type Endpoint, endpointsOf, findEndpoint, inspectionEndpoints } from "./endpoints.ts";
export {
  badRequestResponse,
  type ErrorResponse,
  ErrorWithStatus,
  errorResponse,
  errorResponseWith,
  fluxErrorOf,
} from "./error-response.ts";
export { ListenError, toListenError } from "./listen-error.ts";
export {
  type Answer,
  type ApiRequest,
  BadRequestError,
  BodyTooLargeError,
  json,
  parseJson,
  readBody,
  reading,
} from "./request.ts";
export { sendError, serveApi } from "./serve-api.ts";
