/** The key for verifying a signature isn't available at the moment. */
export class TrustError extends Error {
  override readonly name = "TrustError";
}
