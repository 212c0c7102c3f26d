/** The key that a signature is to be verified with cannot be had just now. */
export class TrustError extends Error {
  override readonly name = "TrustError";
}
