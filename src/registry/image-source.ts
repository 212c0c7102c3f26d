import type { RegistryCredentials } from "@weir/flux";

/** Lists the images in use. */
export interface ImageSource {
  /** Image names as workloads spell them, without tags, each with the credentials of its workloads. */
  imageCredentials(signal: AbortSignal): Promise<ReadonlyMap<string, RegistryCredentials>>;
}
