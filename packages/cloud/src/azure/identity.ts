/**
 * Tokens for Azure's APIs, from the first identity that the environment describes: a service principal with a secret or
 * a certificate, a workload identity, or a managed identity.
 * https://learn.microsoft.com/azure/developer/go/sdk/authentication/credential-chains
 */
import { readFile } from "node:fs/promises";
import { describeFileError, type Environment } from "@weir/base";
import type { CloudAccess } from "../request.ts";
import { secureUrl } from "../secure-url.ts";
import type { AccessToken } from "../token.ts";
import { requestToken } from "../token-request.ts";
import { certificateAssertion } from "./certificate-assertion.ts";
import { AzureIdentityError } from "./errors.ts";
import { type ManagedIdentityAccess, managedIdentityToken } from "./managed-identity.ts";

/** What finding an identity needs. */
export interface AzureIdentityOptions extends CloudAccess, ManagedIdentityAccess {
  readonly env: Environment;
}

const publicAuthority = "https://login.microsoftonline.com/";
/** The authorities of other clouds, by their lower-case names in AZURE_ENVIRONMENT. */
const authorities: Readonly<Record<string, string>> = {
  azurechinacloud: "https://login.chinacloudapi.cn/",
  azureusgovernment: "https://login.microsoftonline.us/",
  azureusgovernmentcloud: "https://login.microsoftonline.us/",
};

/** A token for an API, such as "https://vault.azure.net". Rejects with CloudError if Azure refuses. */
export async function azureToken(
  resource: string,
  options: AzureIdentityOptions,
  signal: AbortSignal,
): Promise<AccessToken> {
  const { env, clock } = options;
  const clientId = env["AZURE_CLIENT_ID"] ?? "";
  const proofOf = proofIn(env);
  if (proofOf === undefined) {
    return managedIdentityToken({ resource, clientId }, options, signal);
  }
  const tenant = env["AZURE_TENANT_ID"] ?? "";
  if (clientId === "" || !/^[\w.-]+$/.test(tenant)) {
    throw new AzureIdentityError(
      `${proofOf.setting} is set, but AZURE_CLIENT_ID or AZURE_TENANT_ID isn't; set both`,
    );
  }
  const url = new URL(`${tenant}/oauth2/v2.0/token`, authorityIn(env));
  const proof = await proofOf.read({ url, clientId, now: clock.now() });
  const form = {
    grant_type: "client_credentials",
    client_id: clientId,
    scope: `${resource}/.default`,
    ...proof,
  };
  return requestToken({ url, form }, options, signal);
}

/** A way to prove an identity, and the variable that selects it. */
interface Proof {
  readonly setting: string;
  read(request: ProofRequest): Promise<Readonly<Record<string, string>>>;
}

interface ProofRequest {
  readonly url: URL;
  readonly clientId: string;
  readonly now: number;
}

/** Undefined for a managed identity. */
function proofIn(env: Environment): Proof | undefined {
  if (env["AZURE_AUTH_METHOD"] === "msi") {
    return undefined;
  }
  const secret = env["AZURE_CLIENT_SECRET"];
  if (secret) {
    return { setting: "AZURE_CLIENT_SECRET", read: () => Promise.resolve({ client_secret: secret }) };
  }
  for (const setting of ["AZURE_CLIENT_CERTIFICATE_PATH", "AZURE_CERTIFICATE_PATH"]) {
    const path = env[setting];
    if (path) {
      return {
        setting,
        read: async (request) =>
          assertionForm(await certificateAssertion(await readProof(setting, path), path, request)),
      };
    }
  }
  const tokenFile = env["AZURE_FEDERATED_TOKEN_FILE"];
  return tokenFile
    ? {
        setting: "AZURE_FEDERATED_TOKEN_FILE",
        read: async () => assertionForm((await readProof("AZURE_FEDERATED_TOKEN_FILE", tokenFile)).trim()),
      }
    : undefined;
}

function assertionForm(assertion: string): Readonly<Record<string, string>> {
  return {
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
  };
}

async function readProof(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new AzureIdentityError(`${setting}: ${describeFileError("open", path, error)}`, { cause: error });
  }
}

function authorityIn(env: Environment): URL {
  const usual = authorities[(env["AZURE_ENVIRONMENT"] ?? "").toLowerCase()] ?? publicAuthority;
  const url = secureUrl(env["AZURE_AUTHORITY_HOST"] || usual, "AZURE_AUTHORITY_HOST");
  return new URL(url.pathname.endsWith("/") ? url : `${url.href}/`);
}
