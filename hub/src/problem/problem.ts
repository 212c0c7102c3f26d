/** What went wrong, as the console's APIs tell it apart. */
export type ProblemKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not-found"
  | "conflict"
  | "refused"
  | "too-many"
  | "unavailable"
  | "internal";

/** What else a problem says. */
export interface ProblemOptions extends ErrorOptions {
  /** What the reader can do about it. */
  readonly advice: string;
  /** Which fields of the request are wrong, by their paths, such as `rules.0.channel`. */
  readonly fields?: Readonly<Record<string, string>>;
  /** When to try again, in seconds from now. */
  readonly retryAfter?: number;
}

/**
 * An error that crosses the console's APIs: its message says what's wrong, the advice what the reader can do. Neither
 * may contain a secret.
 */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly kind: ProblemKind;
  readonly advice: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly retryAfter: number | undefined;

  constructor(
    kind: ProblemKind,
    message: string,
    { advice, fields = {}, retryAfter, ...rest }: ProblemOptions,
  ) {
    super(message, rest);
    this.kind = kind;
    this.advice = advice;
    this.fields = fields;
    this.retryAfter = retryAfter;
  }
}

const refusals: ReadonlySet<ProblemKind> = new Set(["unauthenticated", "forbidden", "too-many"]);

/** Whether it's about who may not do something, or not so often, rather than about what can't be done. */
export function isRefusal({ kind }: Problem): boolean {
  return refusals.has(kind);
}
