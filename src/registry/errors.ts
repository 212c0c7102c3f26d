/**
 * Why an image could not be read: `unknown` (the registry has no such manifest), `rate-limited` (it, or our own
 * limit, asks us to come later), `refused` (any other answer that is no success), `untrusted` (an answer that
 * cannot be true or that would cost too much), `unreachable`, `timeout`.
 */
export type RegistryFailure =
  | "unknown"
  | "rate-limited"
  | "refused"
  | "untrusted"
  | "unreachable"
  | "timeout";

/** What was asked for, and why it was not told. */
export interface UnreadImage {
  /** The repository or the image that was asked for. */
  readonly image: string;
  readonly failure: RegistryFailure;
  /** The message without the image. */
  readonly why: string;
}

/** A registry did not tell what it was asked. The message names the image and holds no secret. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  readonly failure: RegistryFailure;
  /** The repository or the image that was asked for. */
  readonly image: string;
  /** The message without the image. */
  readonly why: string;

  constructor({ image, failure, why }: UnreadImage, options?: ErrorOptions) {
    super(`${image}: ${why}`, options);
    this.failure = failure;
    this.image = image;
    this.why = why;
  }
}
