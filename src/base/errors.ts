/**
 * Whose fault an error is, as Flux's API says it: `missing` (404), `user` (422: the caller or the
 * configuration), `server` (500: a fault of ours). After Flux's pkg/errors.
 */
export type FluxErrorKind = "server" | "missing" | "user";

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

/** Thrown where the code itself is wrong, never for what a user or a server did. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

/** States what cannot be otherwise; throws InvariantError where it is. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) {
    throw new InvariantError(message);
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Anything that was thrown, as an Error. */
export function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
