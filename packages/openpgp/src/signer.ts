/** Signs with one key. */
export interface Signer {
  /** An armored signature to keep beside the data. */
  sign(data: Uint8Array): Promise<string>;
}
