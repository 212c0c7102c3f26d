/**
 * A machine's managed identity in Azure: gets a token from the metadata service, which a registry exchanges for one of
 * its own.
 * https://azure.github.io/acr/AAD-OAuth.html
 */
import { askCloudForJson, type CloudAccess } from "@weir/cloud";
import { type ManagedIdentityAccess, managedIdentityToken } from "@weir/cloud/azure";
import { parseJsonObject, textIn, WireError } from "@weir/http";
import type { AzureIdentity } from "./cluster-config.ts";

/** Where the services are, and how to reach them. */
export interface ManagedIdentityOptions extends CloudAccess, ManagedIdentityAccess {
  /** The URL of a host's registry. */
  readonly registryUrl: (host: string) => string;
}

/** A token that a registry accepts as a password. */
export interface RegistryToken {
  readonly text: string;
  /** In milliseconds since the epoch. */
  readonly expires: number;
}

type Managed = Extract<AzureIdentity, { kind: "managed" }>;

/** The registry that the token is for, and the identity that requests it. */
export interface RegistryTokenRequest {
  readonly host: string;
  readonly identity: Managed;
}

/** The lifetime of a token that doesn't contain an expiry. */
const usualLifeMs = 3_600_000;

/** Gets a token for one registry. Rejects if the metadata service or the registry issues none. */
export async function registryToken(
  { host, identity }: RegistryTokenRequest,
  options: ManagedIdentityOptions,
  signal: AbortSignal,
): Promise<RegistryToken> {
  const form = new URLSearchParams({
    grant_type: "access_token",
    service: host,
    ...(identity.tenant === "" ? {} : { tenant: identity.tenant }),
    access_token: (await managedIdentityToken(identity, options, signal)).text,
  });
  const url = new URL("/oauth2/exchange", options.registryUrl(host));
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const answer = await askCloudForJson(
    { method: "POST", url, headers, body: form.toString() },
    options,
    signal,
  );
  const text = textIn(answer, "refresh_token");
  if (text === "") {
    throw new WireError(`${host} issued no token for the machine's managed identity`);
  }
  return { text, expires: expiryIn(text) ?? options.clock.now() + usualLifeMs };
}

/** The expiry in a JSON Web Token; undefined if it has none or isn't one. */
function expiryIn(token: string): number | undefined {
  try {
    const payload = Buffer.from(token.split(".")[1] ?? "", "base64url");
    const seconds = parseJsonObject(payload, "the token")["exp"];
    return typeof seconds === "number" ? seconds * 1000 : undefined;
  } catch {
    return undefined;
  }
}
