/** Thrown for a bug in the code itself, never for the actions of a user or server. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

/** An error with advice for the person who meets it. */
export class AdvisedError extends Error {
  override readonly name: string = "AdvisedError";
  /** The cause and the remedy, in lines. */
  readonly advice: readonly string[];

  constructor(message: string, advice: readonly string[], options?: ErrorOptions) {
    super(message, options);
    this.advice = advice;
  }
}

/** States a condition that must always be true; throws InvariantError if it isn't. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) {
    throw new InvariantError(message);
  }
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Any thrown value, as an Error. */
export function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
