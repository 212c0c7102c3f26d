import { KeyServiceError } from "./errors.ts";

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The encrypted data key without line breaks, as in a block of YAML. Throws KeyServiceError if it isn't base64. */
export function encryptedBase64(text: string): string {
  const whole = text.replaceAll(/[\r\n]/g, "");
  if (whole === "" || !base64.test(whole)) {
    throw new KeyServiceError(
      "the field enc of this key isn't valid base64; restore the file's sops metadata",
    );
  }
  return whole;
}

/** The encrypted data key in base64url without padding. Throws KeyServiceError if it isn't. */
export function encryptedBase64url(text: string): string {
  const whole = text.replaceAll(/[\r\n]/g, "");
  if (!/^[\w-]+$/.test(whole) || whole.length % 4 === 1) {
    throw new KeyServiceError(
      "the field enc of this key isn't valid base64url; restore the file's sops metadata",
    );
  }
  return whole;
}

/** The decrypted data key in a response. Throws KeyServiceError if there's none. */
export function decryptedIn(text: string, service: string): Uint8Array {
  const isBase64 = base64.test(text) || /^[\w-]+$/.test(text);
  if (text === "" || !isBase64) {
    throw new KeyServiceError(`${service} responded without a decrypted key; try again later`);
  }
  return Buffer.from(text, "base64");
}
