/** Decrypts files that sops encrypted. */
export { type DecryptRequest, decrypt } from "./decrypt.ts";
export {
  DataKeyError,
  IntegrityError,
  type KeyFailure,
  MalformedFileError,
  MetadataNotFoundError,
  SopsError,
  ValueError,
} from "./errors.ts";
export type { Format } from "./formats/format.ts";
export type { KeyService } from "./key-service.ts";
export { AgeKeyService, type AgeSources } from "./key-services/age.ts";
export { dispatchingKeyService, type KeyServices } from "./key-services/dispatch.ts";
export { type PgpDecrypter, pgpKeyService } from "./key-services/pgp.ts";
export {
  type AgeKey,
  type AzureKey,
  type GcpKmsKey,
  type KeyGroup,
  type KmsKey,
  type MasterKey,
  masterKeyName,
  type PgpKey,
  type VaultKey,
} from "./master-key.ts";
