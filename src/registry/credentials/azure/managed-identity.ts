/**
 * The identity of a machine in Azure, as its registries know it: a token from the metadata service, which a registry
 * takes in exchange for one of its own.
 * https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token and
 * https://azure.github.io/acr/AAD-OAuth.html
 */
import type { HttpTransport } from "../../http/transport.ts";
import { parseJsonObject, textIn, WireError } from "../../wire/parse-json.ts";
import { askCloudForJson, type CloudAccess } from "../cloud-request.ts";
import type { AzureIdentity } from "./cluster-config.ts";

/** Where the services are, and how they are asked. */
export interface ManagedIdentityOptions extends CloudAccess {
  /** The metadata service; http://169.254.169.254 in the cloud. */
  readonly metadataUrl: string;
  /** Where the registry of a host is. */
  readonly registryUrl: (host: string) => string;
  /** For the metadata service: link-local, and never behind a proxy. */
  readonly localTransport: HttpTransport;
}

/** What a registry takes as a password. */
export interface RegistryToken {
  readonly text: string;
  /** In milliseconds since the epoch. */
  readonly expires: number;
}

type Managed = Extract<AzureIdentity, { kind: "managed" }>;

/** The registry that a token is for, and the identity that asks. */
export interface RegistryTokenRequest {
  readonly host: string;
  readonly identity: Managed;
}

/** Where the token does not say how long it is good for. */
const usualLifeMs = 3_600_000;

/** A token for one registry. Rejects where the metadata service or the registry gives none. */
export async function registryToken(
  { host, identity }: RegistryTokenRequest,
  options: ManagedIdentityOptions,
  signal: AbortSignal,
): Promise<RegistryToken> {
  const form = new URLSearchParams({
    grant_type: "access_token",
    service: host,
    ...(identity.tenant === "" ? {} : { tenant: identity.tenant }),
    access_token: await machineToken(identity, options, signal),
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
    throw new WireError(`${host} gave no token for the identity of the machine`);
  }
  return { text, expires: expiryIn(text) ?? options.clock.now() + usualLifeMs };
}

async function machineToken(
  { clientId, resource }: Managed,
  { metadataUrl, localTransport, clock }: ManagedIdentityOptions,
  signal: AbortSignal,
): Promise<string> {
  const url = new URL("/metadata/identity/oauth2/token", metadataUrl);
  url.searchParams.set("api-version", "2018-02-01");
  url.searchParams.set("resource", resource);
  if (clientId !== "") {
    url.searchParams.set("client_id", clientId);
  }
  const answer = await askCloudForJson(
    { method: "GET", url, headers: { metadata: "true" } },
    { transport: localTransport, clock },
    signal,
  );
  const token = textIn(answer, "access_token");
  if (token === "") {
    throw new WireError("the metadata service of Azure gave no token");
  }
  return token;
}

/** When a JSON Web Token ends, as it says itself; undefined for what is none. */
function expiryIn(token: string): number | undefined {
  try {
    const payload = Buffer.from(token.split(".")[1] ?? "", "base64url");
    const seconds = parseJsonObject(payload, "the token")["exp"];
    return typeof seconds === "number" ? seconds * 1000 : undefined;
  } catch {
    return undefined;
  }
}
