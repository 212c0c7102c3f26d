import { type AccessToken, Renewed } from "@weir/cloud";
import { azureToken } from "@weir/cloud/azure";
import { textIn } from "@weir/http";
import type { AzureKey } from "../master-key.ts";
import { askWithToken } from "./ask-with-token.ts";
import { decryptUrl, parseVaultUrl } from "./azure-vault-url.ts";
import type { KeyServiceContext } from "./context.ts";
import { decryptedIn, encryptedBase64url } from "./data-key.ts";

const service = "Azure Key Vault";
const remedy =
  "give the pod or machine an identity, or set AZURE_TENANT_ID, AZURE_CLIENT_ID, and AZURE_CLIENT_SECRET, and check that they are valid";
/** The address of the metadata service on Azure's machines. */
const metadataUrl = "http://169.254.169.254";

/** Decrypts data keys with Azure Key Vault. */
export class AzureKeyVault {
  readonly #context: KeyServiceContext;
  readonly #tokens: Renewed<AccessToken>;

  constructor(context: KeyServiceContext) {
    this.#context = context;
    this.#tokens = new Renewed(context.clock);
  }

  /**
   * Decrypts with the identity that Azure's SDKs would find. Rejects with KeyServiceError.
   * https://learn.microsoft.com/rest/api/keyvault/keys/decrypt/decrypt
   */
  async decrypt(key: AzureKey, signal: AbortSignal): Promise<Uint8Array> {
    const { vault, resource } = parseVaultUrl(key.vaultUrl);
    const url = decryptUrl(vault, key);
    const body = JSON.stringify({ alg: "RSA-OAEP-256", value: encryptedBase64url(key.encryptedDataKey) });
    const answer = await askWithToken(
      {
        service,
        remedy,
        remedyFor,
        url,
        body,
        tokens: this.#tokens,
        resource,
        findToken: () => azureToken(resource, { ...this.#context, metadataUrl }, signal),
      },
      this.#context,
      signal,
    );
    return decryptedIn(textIn(answer, "value"), service);
  }
}

function remedyFor(status: number): string {
  switch (status) {
    case 401:
      return "check that the identity of this process belongs to the tenant of the vault";
    case 403:
      return "allow the identity of this process to decrypt with the key, with an access policy or the role Key Vault Crypto User";
    case 404:
      return "check the name and the version of the key";
    case 400:
      return "the data key was encrypted with another key; run sops updatekeys";
    default:
      return "";
  }
}
