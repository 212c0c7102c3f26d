import type { KeyService } from "../key-service.ts";

/** Decrypts an OpenPGP message, armored or not, with any of its secret keys. */
export interface PgpDecrypter {
  decrypt(message: Uint8Array): Promise<Uint8Array>;
}

/** Decrypts data keys with PGP keys. */
export function pgpKeyService(keyring: PgpDecrypter): KeyService {
  return {
    decrypt: async (key) => await keyring.decrypt(Buffer.from(key.encryptedDataKey)),
  };
}
