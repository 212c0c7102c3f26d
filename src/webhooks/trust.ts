/** Fetches the public keys of senders that sign with one. */

import { type Clock, messageOf } from "@weir/base";
import { createRemoteJWKSet, customFetch } from "jose";
import type { Trust } from "./hook.ts";
import { TrustError } from "./trust-error.ts";

/** Requests a URL; rejects unless the response is a success. Limited in time and size. */
export type Get = (url: URL) => Promise<string>;

const googleKeys = new URL("https://www.googleapis.com/oauth2/v3/certs");

/** Regions rarely have more than one certificate at a time, and there are few endpoints. */
const mostCertificates = 16;

/** The keys as their owners publish them, cached while they're valid. */
export function createTrust(get: Get, clock: Clock): Trust {
  return {
    now: () => clock.now(),
    googleKey: createRemoteJWKSet(googleKeys, { [customFetch]: () => answerOf(get, googleKeys) }),
    snsCertificate: keptCertificates(get),
  };
}

async function answerOf(get: Get, url: URL): Promise<Response> {
  return new Response(await trusted(get, url), { headers: { "Content-Type": "application/json" } });
}

/** Fetches each certificate once; failed requests are repeated. */
function keptCertificates(get: Get): Trust["snsCertificate"] {
  const kept = new Map<string, Promise<string>>();
  return async (url) => {
    const known = kept.get(url.href);
    if (known !== undefined) {
      return known;
    }
    const asked = trusted(get, url);
    kept.set(url.href, asked);
    const [oldest] = kept.keys();
    if (kept.size > mostCertificates && oldest !== undefined) {
      kept.delete(oldest);
    }
    try {
      return await asked;
    } catch (error) {
      kept.delete(url.href);
      throw error;
    }
  };
}

async function trusted(get: Get, url: URL): Promise<string> {
  try {
    return await get(url);
  } catch (error) {
    throw new TrustError(`cannot get ${url.href}: ${messageOf(error)}`, { cause: error });
  }
}
