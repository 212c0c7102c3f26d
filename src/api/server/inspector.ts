import type { JsonValue } from "@weir/base";
import { apiLimits } from "@weir/base";
import { type Inspection, inspectionRoutes, type RouteRequest, unknownEndpointError } from "@weir/flux/api";
import {
  type ApiRequest,
  BodyTooLargeError,
  type Endpoint,
  findEndpoint,
  fluxErrorOf,
  inspectionEndpoints,
} from "@weir/flux/serving";

/**
 * Answers a request to one of Weir's own routes that didn't arrive over HTTP, with what HTTP would have as the body, or
 * null for no content. Rejects with a FluxError: the one that HTTP would send.
 */
export type Inspector = (request: RouteRequest, signal: AbortSignal) => Promise<JsonValue>;

/** Serves all of Weir's routes except the export, of which Flux's own is enough for a console. */
export function createInspector(inspection: Inspection): Inspector {
  const endpoints = inspectionEndpoints(inspection).filter(
    ({ route }) => route !== inspectionRoutes.exportEverything,
  );
  return (request, signal) => answer(endpoints, request, signal);
}

async function answer(
  endpoints: readonly Endpoint[],
  { method, path, query, body }: RouteRequest,
  signal: AbortSignal,
): Promise<JsonValue> {
  const given = new URLSearchParams(query);
  const endpoint = findEndpoint(endpoints, { method, path, query: given });
  if (endpoint === undefined) {
    throw unknownEndpointError(path);
  }
  try {
    const answered = await endpoint.answer({ query: given, json: bodyReader(body), signal });
    return answered.status === 200 ? answered.json : null;
  } catch (error) {
    throw fluxErrorOf(error);
  }
}

/** A body that is parsed already still has the limits of its route. */
function bodyReader(body: JsonValue): ApiRequest["json"] {
  return (limit = apiLimits.body) =>
    Buffer.byteLength(JSON.stringify(body)) > limit
      ? Promise.reject(new BodyTooLargeError(`${limit} bytes`))
      : Promise.resolve(body);
}
