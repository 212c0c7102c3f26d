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

/** Nothing was done since too much else is to be done; `reason` says of what there is too much. */
export function busyError(reason: string): FluxError {
  return new FluxError(
    "busy",
    `fluxd is busy: ${reason}`,
    `fluxd is busy

Nothing was done: ${reason}.

fluxd takes requests again when it has worked off what it has. Try again
in a while. If this goes on, see who sends so many requests: fluxd logs
the jobs that it does, and \`fluxctl events\` lists the last ones.
`,
  );
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
