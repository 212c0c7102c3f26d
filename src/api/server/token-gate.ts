import type { IncomingMessage } from "node:http";
import { isSameSecret } from "@weir/base";

/** Paths without a token: whether the daemon is alive, for probes. They reveal nothing about the cluster. */
const openPaths: ReadonlySet<string> = new Set([
  "/api/flux/v11/ping",
  "/api/flux/v6/identity.pub",
  "/metrics",
]);

/**
 * True if a request is allowed: it contains the token, as `Authorization: Bearer <token>` or in the format of
 * fluxctl --token, or its path is open.
 */
export function mayPass(request: IncomingMessage, token: string): boolean {
  const [path = ""] = (request.url ?? "").split("?");
  const isOpen = (request.method === "GET" || request.method === "HEAD") && openPaths.has(path);
  return isOpen || (token !== "" && isSameSecret(givenToken(request.headers.authorization ?? ""), token));
}

function givenToken(authorization: string): string {
  const [, token = ""] = /^(?:Bearer\s+|Scope-Probe token=)(\S+)$/i.exec(authorization) ?? [];
  return token;
}
