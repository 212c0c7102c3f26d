import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** Encrypts with AES-256-GCM, as key services do with keys that never leave them. */
export class SealedBox {
  readonly #key = randomBytes(32);

  seal(plain: Uint8Array, context = ""): Buffer {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce).setAAD(Buffer.from(context));
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }

  /** Undefined for anything that this key didn't encrypt in this context. */
  open(sealed: Uint8Array, context = ""): Buffer | undefined {
    try {
      const decipher = createDecipheriv("aes-256-gcm", this.#key, sealed.subarray(0, 12))
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(-16));
      return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
    } catch {
      return undefined;
    }
  }
}
