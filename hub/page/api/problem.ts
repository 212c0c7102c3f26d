/** What a problem says besides its title. */
interface ProblemTexts {
  /** What happened; may be empty. */
  readonly detail?: string;
  /** What the reader can do; may be empty. */
  readonly remedy?: string;
  /** What's wrong with fields of the request, by their paths, such as `settings.url`. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** An answer that isn't what was asked for: an error of the API, or no answer at all. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  /** The status of HTTP; 0 if the console couldn't be reached. */
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly remedy: string;
  readonly fields: Readonly<Record<string, string>>;

  constructor(status: number, title: string, { detail = "", remedy = "", fields = {} }: ProblemTexts) {
    super(detail === "" ? title : detail);
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.remedy = remedy;
    this.fields = fields;
  }
}

/** The console couldn't be reached. */
export function unreachable(): ApiProblem {
  return new ApiProblem(0, "The console can't be reached", {
    remedy: "Check the connection; this page tries again by itself.",
  });
}

/** What the body of a response with an error says; bodies that aren't problem details (RFC 9457) come from a proxy. */
export function toApiProblem(status: number, body: string): ApiProblem {
  const details = readDetails(body);
  const text = (key: string): string => {
    const value = details[key];
    return typeof value === "string" ? value : "";
  };
  return new ApiProblem(status, text("title") || `The console answered with status ${status}`, {
    detail: text("detail"),
    remedy: text("remedy"),
    fields: textsOf(details["fields"]),
  });
}

function readDetails(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value ?? {});
  return Object.fromEntries(
    entries.flatMap(([key, text]) => (typeof text === "string" ? [[key, text] as const] : [])),
  );
}

/** True if what failed is that nobody is logged in. */
export function isLoggedOut(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401;
}
