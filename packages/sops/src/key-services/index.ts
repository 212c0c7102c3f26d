/** Key services that decrypt data keys with keys of AWS, Google Cloud, Azure, Vault, and OpenBao. */
export { KeyServiceError } from "./errors.ts";
export { type CloudKeyService, type CloudKeyServiceOptions, openCloudKeyService } from "./open.ts";
