import { readFile } from "node:fs/promises";
import type { HostCredentials } from "../../../image/credentials.ts";
import type { HostCredentialSource } from "../source.ts";
import { type AzureIdentity, parseClusterConfig } from "./cluster-config.ts";
import { type ManagedIdentityOptions, type RegistryToken, registryToken } from "./managed-identity.ts";

/** What the source works with. */
export interface AzureOptions extends ManagedIdentityOptions {
  /** The file that says who the cluster is. */
  readonly configPath: string;
}

/** Where clusters on Azure have it. */
export const azureConfigPath = "/etc/kubernetes/azure.json";

const suffixes: readonly string[] = [".azurecr.io", ".azurecr.cn", ".azurecr.de", ".azurecr.us"];
/** The user that a token comes with. */
const tokenUser = "00000000-0000-0000-0000-000000000000";
/** A token is asked for anew when it has less than that left. */
const marginMs = 600_000;

/** True for Azure's Container Registry. */
export function isAzureHost(host: string): boolean {
  return suffixes.some((suffix) => host.endsWith(suffix));
}

/**
 * Who the cluster is to Azure's registries, if its file is mounted: its service principal, as Flux v1, or the managed
 * identity of its machines, of which Flux makes a user that no registry lets in.
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
