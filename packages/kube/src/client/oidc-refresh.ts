import { messageOf } from "@weir/base";
import type * as openIdClient from "openid-client";
import { issuerFetch } from "./issuer-fetch.ts";

/** The library, which is loaded only where a token has to be renewed. */
type OpenIdClient = typeof openIdClient;

/** What a refresh token is for, and who may use it. */
export interface OidcClient {
  readonly issuer: URL;
  readonly clientId: string;
  /** Public clients have none. */
  readonly clientSecret?: string | undefined;
  /** Who signed the issuer's certificate, where the machine does not know it. */
  readonly ca?: Buffer | undefined;
}

/** What an issuer gives; it may keep the refresh token that it gave before. */
export interface OidcTokens {
  readonly idToken?: string | undefined;
  readonly refreshToken?: string | undefined;
}

/** An issuer gave no tokens. The message says why, in a few words that hold none. */
export class RefreshError extends Error {
  override readonly name = "RefreshError";
}

/**
 * Asks the issuer for tokens. The claims of the ID token are checked at the time `now`, in milliseconds since the
 * epoch. Rejects with RefreshError.
 */
export async function refreshTokens(
  { issuer, clientId, clientSecret, ca }: OidcClient,
  refreshToken: string,
  now: number,
): Promise<OidcTokens> {
  const openId = await import("openid-client");
  const client = { [openId.clockSkew]: Math.round((now - Date.now()) / 1000) };
  const options = { [openId.customFetch]: issuerFetch(ca) };
  const auth = clientAuth(openId, clientSecret);
  try {
    const configuration = await openId.discovery(issuer, clientId, client, auth, options);
    const { id_token, refresh_token } = await openId.refreshTokenGrant(configuration, refreshToken);
    return { idToken: id_token, refreshToken: refresh_token };
  } catch (error) {
    throw new RefreshError(reasonOf(openId, error), { cause: error });
  }
}

function reasonOf({ ClientError, ResponseBodyError }: OpenIdClient, error: unknown): string {
  if (error instanceof ResponseBodyError) {
    return `it answers ${error.status}: ${error.error}`;
  }
  // What went wrong on the way there is only known to the cause.
  const hides = error instanceof ClientError && error.code === undefined && error.cause instanceof Error;
  return messageOf(hides ? error.cause : error);
}

/** A secret goes where the issuer says that it takes it, by the standard into the Authorization header. */
function clientAuth(openId: OpenIdClient, secret: string | undefined): openIdClient.ClientAuth {
  if (secret === undefined) {
    return openId.None();
  }
  const [basic, post] = [openId.ClientSecretBasic(secret), openId.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] } = server;
    (methods.includes("client_secret_basic") ? basic : post)(server, client, body, headers);
  };
}
