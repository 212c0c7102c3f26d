import type { Environment } from "@weir/base";
import { secureUrl } from "@weir/cloud";
import { KeyServiceError } from "./errors.ts";

/**
 * Where to send a request for a key: to the agent in VAULT_AGENT_ADDR if there's one, or to the address in the file.
 * Because a token is sent there, the address in the file must be the one in VAULT_ADDR if that's set, and use TLS if it
 * isn't. An address that the environment gives is used as it is. Throws KeyServiceError.
 */
export function vaultUrlFor(address: string, env: Environment): URL {
  const agent = env["VAULT_AGENT_ADDR"];
  if (agent) {
    return serverUrl(agent, "VAULT_AGENT_ADDR");
  }
  const own = env["VAULT_ADDR"];
  const asked = serverUrl(address, "vault_address");
  if (!own) {
    return checked(() => secureUrl(address, "vault_address"));
  }
  const known = serverUrl(own, "VAULT_ADDR");
  if (known.origin !== asked.origin) {
    throw new KeyServiceError(
      `the file names the server ${asked.origin}, but VAULT_ADDR is ${known.origin}, so the token isn't sent; correct vault_address or VAULT_ADDR`,
    );
  }
  return known;
}

/** The path that decrypts with a key. Throws KeyServiceError for one that leads elsewhere. */
export function decryptPath({
  enginePath,
  keyName,
}: Readonly<Record<"enginePath" | "keyName", string>>): string {
  const engine = enginePath.split("/").filter((part) => part !== "");
  const parts = [...engine, "decrypt", keyName];
  if (engine.length === 0 || !parts.every((part) => /^[\w.@~ -]+$/.test(part) && !/^\.+$/.test(part))) {
    throw new KeyServiceError(
      "engine_path or key_name isn't one of Vault's transit engine; correct the file's sops metadata",
    );
  }
  return `/v1/${parts.map(encodeURIComponent).join("/")}`;
}

function serverUrl(text: string, setting: string): URL {
  const url = URL.parse(text);
  const isServer = url?.protocol === "https:" || url?.protocol === "http:";
  if (url === null || !isServer || url.href !== `${url.origin}/`) {
    throw new KeyServiceError(
      `${setting} isn't the address of a server, such as https://vault.example.com:8200; correct it`,
    );
  }
  return url;
}

function checked(parse: () => URL): URL {
  try {
    return parse();
  } catch (error) {
    throw new KeyServiceError(
      `${error instanceof Error ? error.message : ""}, or set VAULT_ADDR to this address to allow it`,
    );
  }
}
