import type { RegistryCredentials } from "../image/credentials.ts";

/** Tells which images are in use. */
export interface ImageSource {
  /** Image names as workloads spell them, without tags, each with the credentials that its workloads have. */
  imageCredentials(signal: AbortSignal): Promise<ReadonlyMap<string, RegistryCredentials>>;
}
