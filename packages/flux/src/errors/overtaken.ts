import { FluxError } from "./flux-error.ts";

/** A push was refused only because somebody else had pushed to the branch before, so it can be tried again. */
export class OvertakenError extends FluxError {
  /** The same error, marked as one of these. */
  static of({ kind, message, advice, cause }: FluxError): OvertakenError {
    return new OvertakenError(kind, message, advice, { cause });
  }
}

/** The OvertakenError that an error is, or that caused it; undefined if there's none. */
export function overtakenIn(error: unknown): OvertakenError | undefined {
  if (error instanceof OvertakenError) {
    return error;
  }
  return error instanceof Error ? overtakenIn(error.cause) : undefined;
}
