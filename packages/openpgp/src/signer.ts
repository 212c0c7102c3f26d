/** Signs with one key. */
export interface Signer {
  /** The fingerprint of the key, or of its subkey, that signs, in upper case. */
  readonly fingerprint: string;
  /** An armored signature to keep beside the data. */
  sign(data: Uint8Array): Promise<string>;
}
