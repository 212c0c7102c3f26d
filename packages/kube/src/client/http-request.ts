import { invariant } from "@weir/base";
import { isPlainPath } from "../path-name.ts";
import type { RequestHeaders } from "../rest/credentials.ts";
import type { RestRequest } from "../rest/rest.ts";
import type { HttpRequest } from "../rest/transport.ts";

/** What all requests of a client have in common. */
export interface RequestSetting {
  /** The URL of the server; its path comes before that of a request. */
  readonly server: string;
  readonly userAgent: string;
  /** Who we are. */
  readonly identity: RequestHeaders;
}

/** A request as it goes out. A long-lived one is a watch or a log. */
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
  // Names were looked at where the path was made; this holds for all that is ever asked.
  invariant(isPlainPath(path), "a path of the API has no dots for a name");
  const base = new URL(server).pathname.replace(/\/$/, "");
  const parameters = new URLSearchParams(query).toString();
  return parameters === "" ? `${base}${path}` : `${base}${path}?${parameters}`;
}

function describeBody(body: string, contentType: string): RequestHeaders {
  return { "Content-Type": contentType, "Content-Length": String(Buffer.byteLength(body)) };
}
