import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describeFileError, type Environment, isMissing } from "@weir/base";
import { type HttpTransport, objectIn, proxiesOf, type TlsSettings, textIn } from "@weir/http";
import type { VaultKey } from "../master-key.ts";
import { askToDecrypt } from "./ask.ts";
import type { KeyServiceContext } from "./context.ts";
import { decryptedIn } from "./data-key.ts";
import { KeyServiceError } from "./errors.ts";
import { decryptPath, vaultUrlFor } from "./vault-address.ts";

const service = "Vault";

/** Decrypts data keys with the transit engine of Vault or OpenBao. */
export class VaultTransit {
  readonly #context: KeyServiceContext;
  #transport: HttpTransport | undefined;

  constructor(context: KeyServiceContext) {
    this.#context = context;
  }

  /**
   * Decrypts with the token in VAULT_TOKEN or ~/.vault-token. Rejects with KeyServiceError.
   * https://developer.hashicorp.com/vault/api-docs/secret/transit#decrypt-data
   */
  async decrypt(key: VaultKey, signal: AbortSignal): Promise<Uint8Array> {
    const { env } = this.#context;
    const url = new URL(decryptPath(key), vaultUrlFor(key.vaultAddress, env));
    const token = await tokenIn(env);
    const headers = {
      "content-type": "application/json",
      "x-vault-request": "true",
      ...(token === "" ? {} : { "x-vault-token": token }),
      ...(env["VAULT_NAMESPACE"] ? { "x-vault-namespace": env["VAULT_NAMESPACE"] } : {}),
    };
    const body = JSON.stringify({ ciphertext: key.encryptedDataKey });
    const insecure = isTrue(env["VAULT_SKIP_VERIFY"]);
    const answer = await askToDecrypt(
      {
        service,
        transport: await this.#opened(),
        secrets: [token],
        remedyFor,
        trustRemedy: "set VAULT_CACERT to a file with the certificate of its authority",
        onRefusedCredentials: () => undefined,
        request: () => ({ method: "PUT", url, headers, body, insecure }),
      },
      this.#context,
      signal,
    );
    return decryptedIn(textIn(objectIn(answer, "data"), "plaintext"), service);
  }

  async #opened(): Promise<HttpTransport> {
    if (this.#transport === undefined) {
      const { env, open, transport } = this.#context;
      const tls = await tlsIn(env);
      this.#transport ??= tls === undefined ? transport : open({ proxies: proxiesOf(env), tls });
    }
    return this.#transport;
  }
}

async function tokenIn(env: Environment): Promise<string> {
  const token = env["VAULT_TOKEN"] || (await tokenInHome(env));
  if (token === "" && !env["VAULT_AGENT_ADDR"]) {
    throw new KeyServiceError("no token for Vault; set VAULT_TOKEN, or mount a token as ~/.vault-token");
  }
  if (!/^[\x21-\x7e]*$/.test(token)) {
    throw new KeyServiceError("the token for Vault contains spaces or line breaks; correct it");
  }
  return token;
}

async function tokenInHome({ HOME }: Environment): Promise<string> {
  return HOME ? ((await readSetting("~/.vault-token", join(HOME, ".vault-token"))) ?? "").trim() : "";
}

/** Undefined for the usual certificates. */
async function tlsIn(env: Environment): Promise<TlsSettings | undefined> {
  const ca = env["VAULT_CACERT_BYTES"] || (await pemIn("VAULT_CACERT", env));
  const cert = await pemIn("VAULT_CLIENT_CERT", env);
  const key = await pemIn("VAULT_CLIENT_KEY", env);
  if ((cert === undefined) !== (key === undefined)) {
    throw new KeyServiceError("only one of VAULT_CLIENT_CERT and VAULT_CLIENT_KEY is set; set both");
  }
  const client = cert === undefined || key === undefined ? undefined : { cert, key };
  return ca === undefined && client === undefined ? undefined : { ca, client };
}

async function pemIn(setting: string, env: Environment): Promise<string | undefined> {
  const path = env[setting];
  if (!path) {
    return undefined;
  }
  const text = await readSetting(setting, path);
  if (text === undefined) {
    throw new KeyServiceError(`${setting}: ${path} doesn't exist; correct the path`);
  }
  return text;
}

/** Undefined if the file doesn't exist. */
async function readSetting(setting: string, path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw new KeyServiceError(`${setting}: ${describeFileError("open", path, error)}`, { cause: error });
  }
}

/** Parses a Boolean value as Go does. */
function isTrue(text: string | undefined): boolean {
  return ["1", "t", "T", "true", "True", "TRUE"].includes(text ?? "");
}

function remedyFor(status: number): string {
  switch (status) {
    case 400:
      return "the data key was encrypted with another key, or the key was deleted; run sops updatekeys";
    case 403:
      return "renew the token, and allow it to update the path decrypt/<key> of the transit engine";
    case 404:
      return "check engine_path: Vault has no such transit engine";
    case 503:
      return "unseal Vault, or try again later";
    default:
      return "";
  }
}
