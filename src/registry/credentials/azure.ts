import { readFile } from "node:fs/promises";
import { parseJsonObject, textIn } from "../wire/parse-json.ts";
import type { HostCredentialSource } from "./source.ts";

/** Where clusters on Azure have it. */
export const azureConfigPath = "/etc/kubernetes/azure.json";

const suffixes: readonly string[] = [".azurecr.io", ".azurecr.cn", ".azurecr.de", ".azurecr.us"];

/** True for Azure's Container Registry. */
export function isAzureHost(host: string): boolean {
  return suffixes.some((suffix) => host.endsWith(suffix));
}

/**
 * The service principal of the cluster, which Azure's registries take as user and password: from its file, if
 * that is mounted. As Flux v1.
 */
export function azureCredentials(path: string): HostCredentialSource {
  return {
    title: "Azure",
    async credentialsFor(host) {
      const text = isAzureHost(host) ? await readFile(path, "utf8").catch(() => "") : "";
      if (text === "") {
        return undefined;
      }
      const config = parseJsonObject(text, path);
      const username = textIn(config, "aadClientId");
      const password = textIn(config, "aadClientSecret");
      // On clusters with managed identities this is what the file says instead.
      return username === "" || username === "msi"
        ? undefined
        : { username, password, provenance: "azure.json" };
    },
  };
}
