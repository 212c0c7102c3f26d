import type { Decode, JsonValue } from "@weir/base";
import type { Route } from "../api/routes.ts";
import type { RouteRequest } from "../api/v12-inspect.ts";

/** A way to a daemon: HTTP, or the RPC of a console. */
export interface Transport {
  /** Resolves to the decoded body of the response; a response without content is decoded as null. */
  ask<T>(request: RouteRequest, decode: Decode<T>, signal: AbortSignal): Promise<T>;
}

/** A request that reads. */
export function getFrom({ path }: Route, query: RouteRequest["query"] = {}): RouteRequest {
  return { method: "GET", path, query, body: null };
}

/** A request with a body. */
export function postTo({ path }: Route, body: JsonValue): RouteRequest {
  return { method: "POST", path, query: {}, body };
}
