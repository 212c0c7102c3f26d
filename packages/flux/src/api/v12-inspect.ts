/** Requests to Weir's own routes as the RPC carries them; the result of such a call is what HTTP has as its body. */
import { type JsonObject, JsonReader, type JsonValue, textAt } from "@weir/base";

/** A request to a route, whether it's sent over HTTP or over the RPC. */
export interface RouteRequest {
  readonly method: "GET" | "POST";
  /** Below the base path, e.g. "/v12/status". */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Null for none. */
  readonly body: JsonValue;
}

/** The method of the RPC, which no daemon of Flux v1 has. */
export const inspectMethod = "Inspect";

/** How long fluxd works on such a call, in milliseconds: longer than any wait for news that a caller can ask for. */
export const inspectTimeout = 120_000;

/** {"method", "path", "query", "body"}. */
export function encodeRouteRequest({ method, path, query, body }: RouteRequest): JsonObject {
  return { method, path, query, body };
}

/** Decodes the result of encodeRouteRequest; without a method, it's a GET. Throws JsonShapeError. */
export function decodeRouteRequest(value: JsonValue): RouteRequest {
  const reader = new JsonReader(value);
  return {
    method: reader.text("method") === "POST" ? "POST" : "GET",
    path: reader.text("path"),
    query: Object.fromEntries(reader.map("query", textAt) ?? []),
    body: reader.value("body", (body) => body) ?? null,
  };
}
