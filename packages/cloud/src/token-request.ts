/** Requests to OAuth token endpoints, which Azure and Google Cloud share. */
import { textIn, WireError } from "@weir/http";
import { askCloudForJson, type CloudAccess } from "./request.ts";
import type { AccessToken } from "./token.ts";

/** The endpoint, and what it's asked for. */
export interface TokenRequest {
  readonly url: URL;
  readonly form: Readonly<Record<string, string>>;
}

/** The lifetime of a token whose response doesn't give one, in seconds. */
const usualLife = 300;

/**
 * Requests a token (RFC 6749, 5.1). Rejects with CloudError if the endpoint refuses, and with WireError if it issues
 * none.
 */
export async function requestToken(
  { url, form }: TokenRequest,
  access: CloudAccess,
  signal: AbortSignal,
): Promise<AccessToken> {
  const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
  const body = new URLSearchParams(form).toString();
  const answer = await askCloudForJson({ method: "POST", url, headers, body }, access, signal);
  const text = textIn(answer, "access_token");
  if (text === "") {
    throw new WireError(`${url.host} issued no token`);
  }
  const life = Number(answer["expires_in"]) || usualLife;
  return { text, expires: access.clock.now() + life * 1000 };
}
