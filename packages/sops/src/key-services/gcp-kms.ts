import { readFile } from "node:fs/promises";
import { describeFileError, isMissing } from "@weir/base";
import { type AccessToken, Renewed } from "@weir/cloud";
import { type GoogleIdentityOptions, googleToken } from "@weir/cloud/gcp";
import { textIn } from "@weir/http";
import type { GcpKmsKey } from "../master-key.ts";
import { askWithToken } from "./ask-with-token.ts";
import type { KeyServiceContext } from "./context.ts";
import { decryptedIn, encryptedBase64 } from "./data-key.ts";
import { KeyServiceError } from "./errors.ts";
import { gcpDecryptUrl } from "./gcp-url.ts";

const service = "Google Cloud KMS";
const remedy =
  "give the pod or machine a service account, or set GOOGLE_APPLICATION_CREDENTIALS to a file with valid credentials";

/** Decrypts data keys with Google Cloud KMS. */
export class GcpKms {
  readonly #context: KeyServiceContext;
  readonly #tokens: Renewed<AccessToken>;

  constructor(context: KeyServiceContext) {
    this.#context = context;
    this.#tokens = new Renewed(context.clock);
  }

  /**
   * Decrypts with the credentials that sops would find. Rejects with KeyServiceError.
   * https://cloud.google.com/kms/docs/reference/rest/v1/projects.locations.keyRings.cryptoKeys/decrypt
   */
  async decrypt(key: GcpKmsKey, signal: AbortSignal): Promise<Uint8Array> {
    const url = gcpDecryptUrl(key.resourceId);
    const body = JSON.stringify({ ciphertext: encryptedBase64(key.encryptedDataKey) });
    const answer = await askWithToken(
      {
        service,
        remedy,
        remedyFor,
        url,
        body,
        tokens: this.#tokens,
        resource: "",
        findToken: () => this.#findToken(signal),
      },
      this.#context,
      signal,
    );
    return decryptedIn(textIn(answer, "plaintext"), service);
  }

  async #findToken(signal: AbortSignal): Promise<AccessToken> {
    return googleToken({ ...this.#context, given: await sopsCredentials(this.#context) }, signal);
  }
}

/** GOOGLE_CREDENTIALS, which only sops knows: the name of a file, or the JSON itself. */
async function sopsCredentials({
  env,
}: Pick<KeyServiceContext, "env">): Promise<GoogleIdentityOptions["given"]> {
  const setting = env["GOOGLE_CREDENTIALS"];
  if (!setting) {
    return undefined;
  }
  if (setting.trimStart().startsWith("{")) {
    return { text: setting, what: "GOOGLE_CREDENTIALS" };
  }
  try {
    return { text: await readFile(setting, "utf8"), what: setting };
  } catch (error) {
    throw new KeyServiceError(
      isMissing(error)
        ? "GOOGLE_CREDENTIALS is neither JSON nor the name of a file; correct it"
        : `GOOGLE_CREDENTIALS: ${describeFileError("open", setting, error)}`,
    );
  }
}

function remedyFor(status: number): string {
  switch (status) {
    case 403:
      return "give the service account of this process the role Cloud KMS CryptoKey Decrypter on the key";
    case 400:
      return "the data key was encrypted with another key; run sops updatekeys";
    case 404:
      return "check the resource ID of the key";
    default:
      return "";
  }
}
