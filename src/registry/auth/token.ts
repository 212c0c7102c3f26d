/** The exchange of credentials for a token: how to build the request and read the response. Pure. */

import type { HostCredentials } from "@weir/flux";
import { parseJsonObject, textIn, WireError } from "@weir/http";
import type { Challenge } from "./challenge.ts";

/** Grants access until `expires`, in milliseconds since the epoch. */
export interface Token {
  readonly text: string;
  readonly expires: number;
}

/** What a token grants access to. */
export interface TokenScope {
  readonly repository: string;
  readonly credentials: HostCredentials | undefined;
  /** True if the registry has no TLS, so the token server may do without it too. */
  readonly mayBePlain: boolean;
}

/** The parts of a request for a token. */
export interface TokenRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

const seconds = 1000;
/** The lifetime that the specification prescribes for a token whose response gives none, or a shorter one. */
const shortestLife = 60 * seconds;
/** A token that expires sooner than this isn't used anymore. */
const margin = 10 * seconds;

/**
 * Builds the request for a token that allows pulling from a repository, as the bearer challenge describes. Throws
 * WireError if the challenge names no server, or if credentials would be sent without TLS although the registry has
 * TLS.
 * https://distribution.github.io/distribution/spec/auth/token/
 */
export function tokenRequest(
  { parameters }: Challenge,
  { repository, credentials, mayBePlain }: TokenScope,
): TokenRequest {
  const url = realmOf(parameters.get("realm") ?? "");
  if (url.protocol === "http:" && !mayBePlain) {
    throw new WireError(
      `the registry names a token server without TLS (${url.host}), so no credentials are sent`,
    );
  }
  const service = parameters.get("service");
  if (service !== undefined) {
    url.searchParams.set("service", service);
  }
  url.searchParams.set("scope", `repository:${repository}:pull`);
  if (credentials === undefined || credentials.username === "" || credentials.password === "") {
    return { url, headers: {} };
  }
  url.searchParams.set("account", credentials.username);
  return { url, headers: { authorization: basicAuthorization(credentials) } };
}

/** The header for basic authentication. */
export function basicAuthorization({ username, password }: HostCredentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** Parses the response to a token request that arrived at `now`. Throws WireError if it contains no token. */
export function parseToken(body: Uint8Array, now: number): Token {
  const answer = parseJsonObject(body, "the token server's response");
  const text = textIn(answer, "token") || textIn(answer, "access_token");
  if (text === "" || /[^\x21-\x7e]/.test(text)) {
    throw new WireError("the token server's response contains no token");
  }
  const life = Number(answer["expires_in"] ?? 0) * seconds;
  return { text, expires: now + Math.max(life || 0, shortestLife) - margin };
}

function realmOf(realm: string): URL {
  if (!URL.canParse(realm) || !/^https?:/.test(realm)) {
    throw new WireError("the registry doesn't name a token server");
  }
  const url = new URL(realm);
  url.username = "";
  url.password = "";
  return url;
}
