import { invariant } from "@weir/base";
import { isPlainPath } from "../path-name.ts";
import type { RequestHeaders } from "../rest/credentials.ts";
import type { RestRequest } from "../rest/rest.ts";
import type { HttpRequest } from "../rest/transport.ts";

/** Settings that all requests of a client share. */
export interface RequestSetting {
  /** The URL of the server; its path precedes the path of each request. */
  readonly server: string;
  readonly userAgent: string;
  /** The headers that identify the client. */
  readonly identity: RequestHeaders;
}

/** Builds an HTTP request. A long-lived request is a watch or a log. */
export function toHttpRequest(
  request: RestRequest,
  setting: RequestSetting,
  longLived: boolean,
): HttpRequest {
  const { method, contentType = "application/json", accept = "application/json", signal } = request;
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  const head = { ...setting.identity, Accept: accept, "User-Agent": setting.userAgent };
  return {
    method,
    target: targetOf(request, setting.server),
    headers: body === undefined ? head : { ...head, ...describeBody(body, contentType) },
    longLived,
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  };
}

function targetOf({ path, query }: RestRequest, server: string): string {
  // Names were checked when the path was built; this check covers every request.
  invariant(isPlainPath(path), "an API path has no dot segments");
  const base = new URL(server).pathname.replace(/\/$/, "");
  const parameters = new URLSearchParams(query).toString();
  return parameters === "" ? `${base}${path}` : `${base}${path}?${parameters}`;
}

function describeBody(body: string, contentType: string): RequestHeaders {
  return { "Content-Type": contentType, "Content-Length": String(Buffer.byteLength(body)) };
}
