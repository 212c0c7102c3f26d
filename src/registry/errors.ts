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

/** A registry did not tell what it was asked. The message names the image and holds no secret. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
  readonly failure: RegistryFailure;
  /** The repository or the image that was asked for. */
  readonly image: string;
  /** The message without the image. */
  readonly why: string;

  constructor(image: string, failure: RegistryFailure, why: string, options?: ErrorOptions) {
    super(`${image}: ${why}`, options);
    this.failure = failure;
    this.image = image;
    this.why = why;
  }
}
