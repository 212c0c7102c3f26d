import type * as z from "zod";
import { Problem } from "../problem/problem.ts";

/** Checks the form of a part of a request, and fills in what's usual. Throws a Problem that names each wrong field. */
export function checkForm<T extends z.ZodType>(
  schema: T,
  value: unknown,
  part: "query" | "body",
): z.output<T> {
  const { success, data, error } = schema.safeParse(value);
  if (success) {
    return data;
  }
  const fields = error.issues.map(({ path, message }) => [path.join(".") || part, message] as const);
  const [first] = fields;
  const more = fields.length > 1 ? `, and ${fields.length - 1} more` : "";
  throw new Problem("invalid", `The ${part} is wrong: ${first?.join(": ") ?? "unknown"}${more}.`, {
    advice: "Correct these fields; /api/console/v1/openapi.json describes them.",
    fields: Object.fromEntries(fields.toReversed()),
    cause: error,
  });
}
