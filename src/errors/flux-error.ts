/**
 * Whose fault an error is, as Flux's API says it: `missing` (404), `user` (422: the caller or the
 * configuration), `server` (500: a fault of ours). After Flux's pkg/errors. Beside them `busy` (503: nothing was done,
 * come back later), which clients read as `user`.
 */
export type FluxErrorKind = "server" | "missing" | "user" | "busy";

/**
 * An error that crosses the API: a short message for machines and logs, and a help text of several lines
 * for the person who reads it. Neither may hold a secret.
 */
export class FluxError extends Error {
  override readonly name = "FluxError";
  readonly kind: FluxErrorKind;
  readonly help: string;

  constructor(kind: FluxErrorKind, message: string, help: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.help = help;
  }
}
