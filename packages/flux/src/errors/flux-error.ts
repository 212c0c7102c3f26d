/**
 * The cause of an error, in the terms of Flux's API: `missing` (404), `user` (422: the caller or the configuration),
 * `server` (500: our fault). Based on Flux's pkg/errors. In addition, `busy` (503: nothing was done, try again later),
 * which clients read as `user`.
 */
export type FluxErrorKind = "server" | "missing" | "user" | "busy";

/**
 * An error that's sent over the API: a short message for machines and logs, and advice of several lines for the person who
 * reads it. Neither may contain a secret.
 */
export class FluxError extends Error {
  override readonly name = "FluxError";
  readonly kind: FluxErrorKind;
  readonly advice: string;

  constructor(kind: FluxErrorKind, message: string, advice: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.advice = advice;
  }
}
