/** The identity in a cluster's azure.json. Pure. */
import type { JsonObject } from "@weir/base";
import { parseJsonObject, textIn } from "@weir/http";

/** The identity of a cluster in Azure. */
export type AzureIdentity =
  /** A service principal, whose ID and secret registries accept as user name and password. */
  | { readonly kind: "principal"; readonly id: string; readonly secret: string }
  /** A managed identity of its machines, for which a token must be requested. */
  | {
      readonly kind: "managed";
      /** The client ID of a user-assigned identity; "" for the machine's own. */
      readonly clientId: string;
      readonly tenant: string;
      /** The resource that the token is for: the management API of the cluster's cloud. */
      readonly resource: string;
    }
  | { readonly kind: "none" };

const publicCloud = "https://management.azure.com/";
/** The other clouds, by their lower-case names in the file. */
const clouds: Readonly<Record<string, string>> = {
  azurechinacloud: "https://management.chinacloudapi.cn/",
  azuregermancloud: "https://management.microsoftazure.de/",
  azureusgovernmentcloud: "https://management.usgovcloudapi.net/",
};

/** The values that stand for "no principal". */
const noPrincipal: readonly string[] = ["", "msi"];

/** Parses the file. A principal takes precedence over a managed identity. Throws WireError. */
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
