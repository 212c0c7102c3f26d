import { Problem } from "../problem/problem.ts";

/** Rejects with a Problem about a field if a row is refused because another has the same value in a unique index. */
export async function withUnique<T>(
  query: Promise<T>,
  { index, field, message }: { readonly index: string; readonly field: string; readonly message: string },
): Promise<T> {
  try {
    return await query;
  } catch (error) {
    if (isDatabaseError(error) && error.code === "23505" && error.constraint === index) {
      const fields = { [field]: "is taken" };
      throw new Problem("conflict", message, { advice: `Choose another ${field}.`, fields, cause: error });
    }
    throw error;
  }
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
