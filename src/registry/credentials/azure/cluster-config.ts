/** What a cluster's azure.json says of who it is. Pure. */
import type { JsonObject } from "@weir/base";
import { parseJsonObject, textIn } from "../../wire/parse-json.ts";

/** Who a cluster is to Azure. */
export type AzureIdentity =
  /** A service principal, which registries take as user and password. */
  | { readonly kind: "principal"; readonly id: string; readonly secret: string }
  /** An identity of its machines, for which a token has to be asked. */
  | {
      readonly kind: "managed";
      /** Of an identity that was assigned by a user; "" for the one of the machine itself. */
      readonly clientId: string;
      readonly tenant: string;
      /** What the token is to be for: the management of the cloud that the cluster is in. */
      readonly resource: string;
    }
  | { readonly kind: "none" };

const publicCloud = "https://management.azure.com/";
/** The others, by the name that the file has for them, in lower case. */
const clouds: Readonly<Record<string, string>> = {
  azurechinacloud: "https://management.chinacloudapi.cn/",
  azuregermancloud: "https://management.microsoftazure.de/",
  azureusgovernmentcloud: "https://management.usgovcloudapi.net/",
};

/** What stands in the place of a principal on clusters that have none. */
const noPrincipal: readonly string[] = ["", "msi"];

/** Reads the file; a principal counts more than a managed identity. Throws WireError. */
export function parseClusterConfig(text: string, path: string): AzureIdentity {
  const config = parseJsonObject(text, path);
  const [id, secret] = [textIn(config, "aadClientId"), textIn(config, "aadClientSecret")];
  if (!noPrincipal.includes(id)) {
    return { kind: "principal", id, secret };
  }
  return isManaged(config, id)
    ? {
        kind: "managed",
        clientId: textIn(config, "userAssignedIdentityID"),
        tenant: textIn(config, "tenantId"),
        resource: clouds[textIn(config, "cloud").toLowerCase()] ?? publicCloud,
      }
    : { kind: "none" };
}

function isManaged(config: JsonObject, id: string): boolean {
  return config["useManagedIdentityExtension"] === true || id === "msi";
}
