import { type GcpMetadataOptions, machineToken } from "@weir/cloud/gcp";
import type { HostCredentials } from "@weir/flux";
import type { HostCredentialSource } from "./source.ts";

/** Tokens that expire sooner than this are renewed. */
const marginMs = 300_000;

/** True for hosts of Container Registry and Artifact Registry. */
export function isGcpHost(host: string): boolean {
  return host === "gcr.io" || host.endsWith(".gcr.io") || host.endsWith("-docker.pkg.dev");
}

/**
 * The token of the machine's service account, for Google's registries. Unlike Flux v1, which requests a token in each
 * pass, this reuses a token until it expires.
 */
export function gcpCredentials(options: GcpMetadataOptions): HostCredentialSource {
  let kept: { readonly credentials: HostCredentials; readonly expires: number } | undefined;
  return {
    title: "GCP",
    async credentialsFor(host, signal) {
      if (!isGcpHost(host)) {
        return undefined;
      }
      if (kept === undefined || kept.expires - marginMs <= options.clock.now()) {
        const { text, expires } = await machineToken(options, signal);
        kept = {
          credentials: { username: "oauth2accesstoken", password: text, provenance: "GCP metadata" },
          expires,
        };
      }
      return kept.credentials;
    },
  };
}
