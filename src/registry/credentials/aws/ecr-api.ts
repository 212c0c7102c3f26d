import { isJsonArray, isJsonObject, type JsonObject } from "@weir/base";
import { askCloudForJson, type CloudAccess } from "@weir/cloud";
import { type AwsKeys, awsServiceUrl, signedHeaders } from "@weir/cloud/aws";
import { type HostCredentials, splitAuth } from "@weir/flux";
import { textIn, WireError } from "@weir/http";

/** Credentials by host, all with the same expiry. */
export interface EcrTokens {
  readonly byHost: ReadonlyMap<string, HostCredentials>;
  /** In milliseconds since the epoch. */
  readonly expires: number;
}

/** The accounts with registries in one region. */
export interface EcrRegion {
  readonly url: URL;
  readonly region: string;
  readonly accounts: readonly string[];
}

/** The maximum lifetime of a token, according to AWS. */
const longestMs = 12 * 3_600_000;

/** The URL of a region's registry service. */
export function ecrApiUrl(region: string): string {
  return awsServiceUrl("api.ecr", region);
}

/**
 * Requests tokens for the registries of accounts in one region. Rejects if AWS issues none.
 * https://docs.aws.amazon.com/AmazonECR/latest/APIReference/API_GetAuthorizationToken.html
 */
export async function getEcrTokens(
  { url, region, accounts }: EcrRegion,
  { keys, transport, clock }: EcrAccess,
  signal: AbortSignal,
): Promise<EcrTokens> {
  const now = clock.now();
  const body = JSON.stringify({ registryIds: accounts });
  const plain = {
    "content-type": "application/x-amz-json-1.1",
    "x-amz-target": "AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken",
  };
  const headers = signedHeaders({ url, headers: plain, body, region, service: "ecr" }, keys, now);
  return tokensIn(
    await askCloudForJson({ method: "POST", url, headers, body }, { transport, clock }, signal),
    now,
  );
}

export interface EcrAccess extends CloudAccess {
  readonly keys: AwsKeys;
}

function tokensIn(answer: JsonObject, now: number): EcrTokens {
  const data = answer["authorizationData"];
  const entries = isJsonArray(data) ? data.filter(isJsonObject) : [];
  const byHost = new Map<string, HostCredentials>();
  let expires = now + longestMs;
  for (const entry of entries) {
    const login = splitAuth(textIn(entry, "authorizationToken"));
    if (login === undefined) {
      throw new WireError("ECR issued a token that can't be decoded");
    }
    byHost.set(textIn(entry, "proxyEndpoint").replace("https://", ""), { ...login, provenance: "AWS API" });
    const expiresAt = entry["expiresAt"];
    expires = typeof expiresAt === "number" ? Math.min(expires, expiresAt * 1000) : expires;
  }
  return { byHost, expires };
}
