import * as z from "zod";
import { Problem, type ProblemKind } from "./problem.ts";

/** A problem as the APIs send it, as `application/problem+json`: problem details of RFC 9457, with fields of our own. */
export const problemDetails = z.object({
  /** `urn:weir:problem:` and the kind. */
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  /** What's wrong with this request. */
  detail: z.string(),
  /** What the reader can do about it. */
  remedy: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
  /** In seconds. */
  retryAfter: z.number().optional(),
});

export type ProblemDetails = z.infer<typeof problemDetails>;

const responses: Readonly<Record<ProblemKind, { readonly status: number; readonly title: string }>> = {
  invalid: { status: 400, title: "Invalid request" },
  unauthenticated: { status: 401, title: "Not signed in" },
  forbidden: { status: 403, title: "Not permitted" },
  "not-found": { status: 404, title: "Not found" },
  conflict: { status: 409, title: "Conflict" },
  refused: { status: 422, title: "Refused" },
  "too-many": { status: 429, title: "Too many requests" },
  internal: { status: 500, title: "Internal error" },
  unavailable: { status: 503, title: "Unavailable" },
};

/** Turns an error into what a response says; of one that isn't a Problem, only that it happened. */
export function toProblemDetails(error: unknown): ProblemDetails {
  const problem = error instanceof Problem ? error : unexpected(error);
  const { status, title } = responses[problem.kind];
  return {
    type: `urn:weir:problem:${problem.kind}`,
    title,
    status,
    detail: problem.message,
    remedy: problem.advice,
    ...(Object.keys(problem.fields).length === 0 ? {} : { fields: { ...problem.fields } }),
    ...(problem.retryAfter === undefined ? {} : { retryAfter: problem.retryAfter }),
  };
}

function unexpected(cause: unknown): Problem {
  return new Problem("internal", "The console failed to handle the request.", {
    advice: "Try again. If it keeps happening, look at the console's log.",
    cause,
  });
}
