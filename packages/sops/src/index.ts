/** Decrypts files that sops encrypted. */
export type { KeyService } from "./key-service.ts";
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
