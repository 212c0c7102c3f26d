/** The exchange of credentials for a token: what is asked, and what the answer means. Pure. */
import type { HostCredentials } from "../../image/credentials.ts";
import { parseJsonObject, textIn, WireError } from "../wire/parse-json.ts";
import type { Challenge } from "./challenge.ts";

/** Lets us in until `expires`, in milliseconds since the epoch. */
export interface Token {
  readonly text: string;
  readonly expires: number;
}

/** What a token is needed for. */
export interface TokenScope {
  readonly repository: string;
  readonly credentials: HostCredentials | undefined;
  /** True: the registry has no TLS, so the server that gives the token need not have it either. */
  readonly mayBePlain: boolean;
}

/** What a token is asked with. */
export interface TokenRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

const seconds = 1000;
/** What a token is good for where the answer does not say, or says less, as the specification has it. */
const shortestLife = 60 * seconds;
/** A token is not used any more when it has less than that left. */
const margin = 10 * seconds;

/**
 * Asks for a token that may pull from a repository, as the bearer challenge tells. Throws WireError where that
 * names no server, and where credentials would cross the net in the open although the registry has TLS.
 * https://distribution.github.io/distribution/spec/auth/token/
 */
export function tokenRequest(
  { parameters }: Challenge,
  { repository, credentials, mayBePlain }: TokenScope,
): TokenRequest {
  const url = realmOf(parameters.get("realm") ?? "");
  if (url.protocol === "http:" && !mayBePlain) {
    throw new WireError(`the registry asks for a token from a server without TLS (${url.host})`);
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

/** The header of basic authentication. */
export function basicAuthorization({ username, password }: HostCredentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** Reads the answer to a token request that came at `now`. Throws WireError where it holds no token. */
export function parseToken(body: Uint8Array, now: number): Token {
  const answer = parseJsonObject(body, "the answer of the token server");
  const text = textIn(answer, "token") || textIn(answer, "access_token");
  if (text === "" || /[^\x21-\x7e]/.test(text)) {
    throw new WireError("the token server gave no token");
  }
  const life = Number(answer["expires_in"] ?? 0) * seconds;
  return { text, expires: now + Math.max(life || 0, shortestLife) - margin };
}

function realmOf(realm: string): URL {
  if (!URL.canParse(realm) || !/^https?:/.test(realm)) {
    throw new WireError("the registry does not say where to get a token");
  }
  const url = new URL(realm);
  url.username = "";
  url.password = "";
  return url;
}
