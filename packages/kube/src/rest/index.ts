/**
 * Requests to an API server, independent of the transport: the client interface, discovery, lists, watches,
 * and schemas. Nothing here opens a connection.
 */
export type { ClusterCredentials, ClusterTls, RequestHeaders } from "./credentials.ts";
export { createDiscovery, type Discovery } from "./discovery.ts";
export { type DiscoveryFailure, readResourceList, type Served } from "./discovery-answer.ts";
export { leanObject } from "./lean-object.ts";
export { type ListOptions, listAs, type Take } from "./list.ts";
export { isRefused, listWatch, listWatchAs } from "./list-watch.ts";
export { type ListWatchEvent, readWatchLine } from "./list-watch-event.ts";
export { createSchemaSource, type SchemaSource } from "./openapi.ts";
export type { RestClient, RestRequest } from "./rest.ts";
export { type ServedKind, ServedKinds } from "./served.ts";
export { ConnectionError, type ConnectionLoss } from "./transport.ts";
