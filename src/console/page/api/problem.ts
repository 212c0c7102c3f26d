/** An answer that isn't what was asked for: an error of the API, or no answer at all. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  /** The status of HTTP; 0 if the console couldn't be reached. */
  readonly status: number;
  readonly title: string;
  /** What happened and what to do; may be empty. */
  readonly detail: string;

  constructor(status: number, title: string, detail: string) {
    super(detail === "" ? title : detail);
    this.status = status;
    this.title = title;
    this.detail = detail;
  }
}

/** The console couldn't be reached. */
export function unreachable(): ApiProblem {
  return new ApiProblem(
    0,
    "The console can't be reached",
    "Check the connection; this page tries again by itself.",
  );
}

/** What the body of a response with an error says; bodies that aren't problem details (RFC 9457) come from a proxy. */
export function toApiProblem(status: number, body: string): ApiProblem {
  const { title, detail } = readDetails(body);
  return new ApiProblem(status, title ?? `The console answered with status ${status}`, detail ?? "");
}

function readDetails(body: string): { readonly title?: string; readonly detail?: string } {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== "object" || value === null) {
      return {};
    }
    return {
      ...("title" in value && typeof value.title === "string" ? { title: value.title } : {}),
      ...("detail" in value && typeof value.detail === "string" ? { detail: value.detail } : {}),
    };
  } catch {
    return {};
  }
}

/** True if what failed is that nobody is logged in. */
export function isLoggedOut(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401;
}
