import type { ApiServer } from "../api/api-server.ts";
import type { Inspection } from "../api/inspection.ts";
import { inspectionRoutes, type Route, routes } from "../api/routes.ts";
import { Bodies } from "./bodies.ts";
import { handlers } from "./handlers.ts";
import { inspectionHandlers } from "./inspection-handlers.ts";
import type { Answer, ApiRequest, Handler } from "./request.ts";

/** A route and its handler. */
export interface Endpoint {
  readonly route: Route;
  readonly answer: (request: ApiRequest) => Promise<Answer>;
}

/** The routes of a listener, and the reader of their request bodies. */
export interface Endpoints {
  readonly all: readonly Endpoint[];
  readonly bodies: Bodies;
}

/** The routes of Flux v1's API, and Weir's additions if there is an inspection. */
export function endpointsOf(api: ApiServer, inspection: Inspection | undefined): Endpoints {
  const all = [...bind(routes, handlers, api), ...(inspection ? inspectionEndpoints(inspection) : [])];
  return { all, bodies: new Bodies() };
}

/** Weir's additions. */
export function inspectionEndpoints(inspection: Inspection): readonly Endpoint[] {
  return bind(inspectionRoutes, inspectionHandlers, inspection);
}

/** The endpoint for a request: its method, path, and required query keys all match; undefined if there's none. */
export function findEndpoint(
  endpoints: readonly Endpoint[],
  request: { readonly method: string; readonly path: string; readonly query: URLSearchParams },
): Endpoint | undefined {
  return endpoints.find(({ route }) => {
    const { methods, path, requiredQuery = [] }: Route = route;
    return (
      request.path === path &&
      methods.some((each) => each === request.method) &&
      requiredQuery.every((key) => request.query.has(key))
    );
  });
}

function bind<Name extends string, Server>(
  table: Readonly<Record<Name, Route>>,
  handlersByName: Readonly<Record<Name, Handler<Server>>>,
  server: Server,
): readonly Endpoint[] {
  return (Object.keys(table) as Name[]).map((name) => ({
    route: table[name],
    answer: (request) => handlersByName[name](server, request),
  }));
}
