/**
 * Why an image couldn't be read: `unknown` (the registry has no such manifest), `rate-limited` (by the registry or by
 * our own limit), `refused` (any other unsuccessful response), `untrusted` (a response that can't be right or is too
 * large), `unreachable`, or `timeout`.
 */
export type RegistryFailure =
  | "unknown"
  | "rate-limited"
  | "refused"
  | "untrusted"
  | "unreachable"
  | "timeout";

/** What was requested, and why it failed. */
export interface UnreadImage {
  /** The repository or image that was requested. */
  readonly image: string;
  readonly failure: RegistryFailure;
  /** The message without the name of the image. */
  readonly why: string;
}

/** A request to a registry failed. The message names the image and contains no secret. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  readonly failure: RegistryFailure;
  /** The repository or image that was requested. */
  readonly image: string;
  /** The message without the name of the image. */
  readonly why: string;

  constructor({ image, failure, why }: UnreadImage, options?: ErrorOptions) {
    super(`${image}: ${why}`, options);
    this.failure = failure;
    this.image = image;
    this.why = why;
  }
}
