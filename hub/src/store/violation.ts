/** True if a row was refused because another has the same value in this unique index. */
export function violates(error: unknown, index: string): boolean {
  return isDatabaseError(error) && error.code === "23505" && error.constraint === index;
}

/** True if a value can't be one of the type that it's compared with, such as a time. */
export function isWrongValue(error: unknown): boolean {
  return isDatabaseError(error) && error.code.startsWith("22");
}

/** What both databases say about an error. */
interface DatabaseError extends Error {
  readonly code: string;
  readonly constraint?: string;
}

function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}
