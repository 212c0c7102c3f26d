import { KeyServiceError } from "./errors.ts";

/** A key vault, and the resource that a token for it must be issued for. */
export interface AzureVault {
  readonly vault: URL;
  readonly resource: string;
}

/** The domains of key vaults and managed HSMs in Azure's clouds. Only Azure can answer for hosts below them. */
const domains: readonly string[] = [
  "vault.azure.net",
  "vault.azure.cn",
  "vault.usgovcloudapi.net",
  "managedhsm.azure.net",
  "managedhsm.azure.cn",
  "managedhsm.usgovcloudapi.net",
];

const apiVersion = "7.4";

/**
 * Parses the URL of a vault. Because the file names it, and a token is sent there, it must be a host of Azure's. Throws
 * KeyServiceError.
 */
export function parseVaultUrl(text: string): AzureVault {
  const vault = URL.parse(text);
  const [, domain = ""] = /^[a-z0-9-]+\.(.+)$/.exec(vault?.hostname ?? "") ?? [];
  const isPlain = vault?.href === `https://${vault?.hostname ?? ""}/`;
  if (vault === null || !isPlain || !domains.includes(domain)) {
    throw new KeyServiceError(
      `vault_url isn't the URL of a key vault in Azure, such as https://<name>.vault.azure.net, so no token is sent there; correct the file's sops metadata`,
    );
  }
  return { vault, resource: `https://${domain}` };
}

/** The URL that decrypts with a key. Throws KeyServiceError for an invalid name or version. */
export function decryptUrl(vault: URL, { name, version }: Readonly<Record<"name" | "version", string>>): URL {
  if (!/^[A-Za-z0-9-]+$/.test(name) || !/^[A-Za-z0-9]*$/.test(version)) {
    throw new KeyServiceError(
      "the name or version isn't one of a key in Azure Key Vault; correct the file's sops metadata",
    );
  }
  const url = new URL(`/keys/${name}/${version === "" ? "" : `${version}/`}decrypt`, vault);
  url.searchParams.set("api-version", apiVersion);
  return url;
}
