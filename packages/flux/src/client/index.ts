/** The client of Flux v1's HTTP API. */
export { isSuccess, refusalOf } from "./answer.ts";
export { ApiClient } from "./client.ts";
export { RequestError, reasonOf, transportError } from "./errors.ts";
export { type ApiRequest, HttpSender } from "./http.ts";
export { InspectionClient } from "./inspection-client.ts";
export { getFrom, type Transport } from "./transport.ts";
