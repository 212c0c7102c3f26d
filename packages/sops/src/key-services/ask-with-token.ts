import type { JsonObject } from "@weir/base";
import type { AccessToken, Renewed } from "@weir/cloud";
import { askToDecrypt, type CredentialRequest, type DecryptRequest, findCredentials } from "./ask.ts";
import type { KeyServiceContext } from "./context.ts";

/** A request to decrypt that is authorized with a bearer token. */
export interface TokenRequest
  extends Pick<DecryptRequest, "service" | "remedyFor">,
    Pick<CredentialRequest<AccessToken>, "remedy"> {
  readonly url: URL;
  /** JSON. */
  readonly body: string;
  readonly tokens: Renewed<AccessToken>;
  /** What tells the token from others of the service; "" if there's only one. */
  readonly resource: string;
  readonly findToken: () => Promise<AccessToken>;
}

/** Sends a request to decrypt with a token that is requested if there's none yet. Rejects with KeyServiceError. */
export async function askWithToken(
  { service, remedy, remedyFor, url, body, tokens, resource, findToken }: TokenRequest,
  context: KeyServiceContext,
  signal: AbortSignal,
): Promise<JsonObject> {
  const get = (): Promise<AccessToken> => tokens.get(resource, findToken, signal);
  const token = await findCredentials({ service, remedy, get }, context, signal);
  const headers = { "content-type": "application/json", authorization: `Bearer ${token.text}` };
  return await askToDecrypt(
    {
      service,
      transport: context.transport,
      secrets: [token.text],
      remedyFor,
      onRefusedCredentials: () => tokens.forget(resource),
      request: () => ({ method: "POST", url, headers, body }),
    },
    context,
    signal,
  );
}
