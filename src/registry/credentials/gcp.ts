import type { HostCredentials } from "../../image/credentials.ts";
import { textIn, WireError } from "../wire/parse-json.ts";
import { askCloudForJson, type CloudAccess } from "./cloud-request.ts";
import type { HostCredentialSource } from "./source.ts";

/** What the source needs. */
export interface GcpOptions extends CloudAccess {
  /** The metadata service; http://metadata.google.internal in Google Cloud. */
  readonly metadataUrl: string;
}

const path = "/computeMetadata/v1/instance/service-accounts/default/token";
/** Tokens that expire sooner than this are renewed. */
const marginMs = 300_000;

/** True for hosts of Container Registry and Artifact Registry. */
export function isGcpHost(host: string): boolean {
  return host === "gcr.io" || host.endsWith(".gcr.io") || host.endsWith("-docker.pkg.dev");
}

/**
 * The token of the machine's service account, for Google's registries. Unlike Flux v1, which requests a token in each
 * pass, this reuses a token until it expires.
 * https://cloud.google.com/compute/docs/access/authenticate-workloads
 */
export function gcpCredentials({ metadataUrl, transport, clock }: GcpOptions): HostCredentialSource {
  let kept: { readonly credentials: HostCredentials; readonly expires: number } | undefined;
  return {
    title: "GCP",
    async credentialsFor(host, signal) {
      if (!isGcpHost(host)) {
        return undefined;
      }
      if (kept === undefined || kept.expires - marginMs <= clock.now()) {
        const url = new URL(path, metadataUrl);
        const headers = { "metadata-flavor": "Google" };
        const answer = await askCloudForJson({ method: "GET", url, headers }, { transport, clock }, signal);
        const password = textIn(answer, "access_token");
        if (password === "") {
          throw new WireError("the Google metadata service issued no token");
        }
        const expires = clock.now() + Number(answer["expires_in"] ?? 0) * 1000;
        kept = {
          credentials: { username: "oauth2accesstoken", password, provenance: "GCP metadata" },
          expires,
        };
      }
      return kept.credentials;
    },
  };
}
