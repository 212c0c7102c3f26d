import type { HostCredentials } from "../../image/credentials.ts";

/** Knows who we are to some hosts. */
export interface HostCredentialSource {
  /** As told in logs where it fails: "docker config", "GCP". */
  readonly title: string;
  /** Undefined for hosts that it does not know. Rejects where it should know and cannot tell. */
  credentialsFor(host: string, signal: AbortSignal): Promise<HostCredentials | undefined>;
}
