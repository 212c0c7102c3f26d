import type { RegistryCredentials } from "../image/credentials.ts";

/** Lists the images in use. */
export interface ImageSource {
  /** Image names as workloads spell them, without tags, each with the credentials of its workloads. */
  imageCredentials(signal: AbortSignal): Promise<ReadonlyMap<string, RegistryCredentials>>;
}
