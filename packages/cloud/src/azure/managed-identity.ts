import type { Clock } from "@weir/base";
import { type HttpTransport, textIn, WireError } from "@weir/http";
import { askCloudForJson } from "../request.ts";
import type { AccessToken } from "../token.ts";

/** What requests to the metadata service need. */
export interface ManagedIdentityAccess {
  /** The metadata service; http://169.254.169.254 in Azure. */
  readonly metadataUrl: string;
  /** For the metadata service: allows link-local addresses, and never uses a proxy. */
  readonly localTransport: HttpTransport;
  readonly clock: Clock;
}

/** Which token to request. */
export interface ManagedIdentityRequest {
  /** The API that the token is for, such as "https://vault.azure.net". */
  readonly resource: string;
  /** The client ID of a user-assigned identity; "" for the machine's own. */
  readonly clientId: string;
}

/**
 * A token of the machine's managed identity, from the metadata service.
 * https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/how-to-use-vm-token
 */
export async function managedIdentityToken(
  { clientId, resource }: ManagedIdentityRequest,
  { metadataUrl, localTransport, clock }: ManagedIdentityAccess,
  signal: AbortSignal,
): Promise<AccessToken> {
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
  const text = textIn(answer, "access_token");
  if (text === "") {
    throw new WireError("the Azure metadata service issued no token");
  }
  return { text, expires: clock.now() + (Number(answer["expires_in"] ?? 0) || 0) * 1000 };
}
