import type { MasterKey } from "./master-key.ts";

/** Decrypts data keys. */
export interface KeyService {
  /**
   * Decrypts `key.encryptedDataKey` with the key that `key` names. Rejects with an error that can be shown: it has
   * neither credentials nor key material in it. The result belongs to the caller, who overwrites it after use.
   */
  decrypt(key: MasterKey, signal: AbortSignal): Promise<Uint8Array>;
}
