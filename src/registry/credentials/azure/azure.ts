import { readFile } from "node:fs/promises";
import type { HostCredentials } from "@weir/flux";
import type { HostCredentialSource } from "../source.ts";
import { type AzureIdentity, parseClusterConfig } from "./cluster-config.ts";
import { type ManagedIdentityOptions, type RegistryToken, registryToken } from "./managed-identity.ts";

/** The path of this file on Azure clusters. */
export const azureConfigPath = "/etc/kubernetes/azure.json";

const suffixes: readonly string[] = [".azurecr.io", ".azurecr.cn", ".azurecr.de", ".azurecr.us"];
/** The user name to send with a token. */
const tokenUser = "00000000-0000-0000-0000-000000000000";
/** Tokens that expire sooner than this are renewed. */
const marginMs = 600_000;

/** True for hosts of Azure Container Registry. */
export function isAzureHost(host: string): boolean {
  return suffixes.some((suffix) => host.endsWith(suffix));
}

/**
 * The cluster's credentials for Azure's registries, if its file is mounted: the service principal, as in Flux v1, or
 * the managed identity of its machines, which Flux turns into a user name that no registry accepts.
 */
export function azureCredentials(options: AzureOptions): HostCredentialSource {
  const { configPath, clock } = options;
  const tokens = new Map<string, RegistryToken>();
  async function tokenOf(
    host: string,
    identity: Extract<AzureIdentity, { kind: "managed" }>,
    signal: AbortSignal,
  ): Promise<HostCredentials> {
    let token = tokens.get(host);
    if (token === undefined || token.expires - marginMs <= clock.now()) {
      token = await registryToken({ host, identity }, options, signal);
      tokens.set(host, token);
    }
    return { username: tokenUser, password: token.text, provenance: "Azure managed identity" };
  }
  return {
    title: "Azure",
    async credentialsFor(host, signal) {
      const text = isAzureHost(host) ? await readFile(configPath, "utf8").catch(() => "") : "";
      if (text === "") {
        return undefined;
      }
      const identity = parseClusterConfig(text, configPath);
      switch (identity.kind) {
        case "principal":
          return { username: identity.id, password: identity.secret, provenance: "azure.json" };
        case "managed":
          return tokenOf(host, identity, signal);
        case "none":
          return undefined;
      }
    },
  };
}

export interface AzureOptions extends ManagedIdentityOptions {
  /** The file that describes the cluster's identity. */
  readonly configPath: string;
}
