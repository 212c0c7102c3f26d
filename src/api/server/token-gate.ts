import type { IncomingMessage } from "node:http";
import { isSameSecret } from "@weir/base";

/** What anybody may ask: whether the daemon is there, as probes do. It says nothing of the cluster. */
const openPaths: ReadonlySet<string> = new Set([
  "/api/flux/v11/ping",
  "/api/flux/v6/identity.pub",
  "/metrics",
]);

/**
 * True for a request that may pass: it bears the token, as `Authorization: Bearer <token>` or as fluxctl --token
 * sends it, or asks for what is open to all.
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
