import type { HostCredentials } from "@weir/flux";

/** Provides credentials for some hosts. */
export interface HostCredentialSource {
  /** The name for logs, such as "docker config" or "GCP". */
  readonly title: string;
  /** Undefined for hosts that this source doesn't cover. Rejects if it covers the host but can't get credentials. */
  credentialsFor(host: string, signal: AbortSignal): Promise<HostCredentials | undefined>;
}
