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
