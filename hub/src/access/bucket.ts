/** A limit on how often something may be done: a bucket that leaks. */
export interface RateLimit {
  /** How often it may be done at once. */
  readonly burst: number;
  /** In milliseconds: how long it takes until it may be done once more. */
  readonly perMs: number;
}

/** How full a bucket is, as of a time in milliseconds since the epoch. */
export interface Bucket {
  readonly used: number;
  readonly at: number;
}

/** What came of an attempt. */
export type Attempt =
  | { readonly allowed: true; readonly bucket: Bucket }
  | { readonly allowed: false; readonly retryAfterMs: number };

/** Puts an attempt into a bucket, if there's room. A clock that was set back empties nothing and fills nothing. */
export function attempt(before: Bucket | undefined, { burst, perMs }: RateLimit, now: number): Attempt {
  const { used: usedThen, at } = before ?? { used: 0, at: now };
  const passed = Math.max(0, now - at);
  const used = Math.max(0, usedThen - passed / perMs);
  if (used + 1 > burst) {
    return { allowed: false, retryAfterMs: Math.ceil((used + 1 - burst) * perMs) };
  }
  return { allowed: true, bucket: { used: used + 1, at: Math.max(now, at) } };
}
