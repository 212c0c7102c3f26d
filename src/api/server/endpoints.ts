import type { ApiServer } from "../types/api-server.ts";
import type { Inspection } from "../types/inspection.ts";
import { inspectionRoutes, type Route, routes } from "../types/routes.ts";
import { handlers } from "./handlers.ts";
import { inspectionHandlers } from "./inspection-handlers.ts";
import type { Answer, ApiRequest, Handler } from "./request.ts";

/** A route and who answers it. */
export interface Endpoint {
  readonly route: Route;
  readonly answer: (request: ApiRequest) => Promise<Answer>;
}

/** The API of Flux v1, and what Weir adds to it where there is somebody to be asked. */
export function endpointsOf(api: ApiServer, inspection: Inspection | undefined): readonly Endpoint[] {
  return [
    ...bind(routes, handlers, api),
    ...(inspection ? bind(inspectionRoutes, inspectionHandlers, inspection) : []),
  ];
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
