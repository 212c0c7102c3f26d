/** How long to wait before the next attempt after repeated failures. */
export interface BackoffPolicy {
  /** The wait after the first failure, in milliseconds. */
  readonly initialMs: number;
  /** The longest wait, in milliseconds. */
  readonly maxMs: number;
  /** The factor by which each wait is longer than the previous one; at least 1. */
  readonly factor: number;
  /** The random share of a wait, from 0 to 1, so that many clients don't return at the same time. */
  readonly jitter: number;
}

/**
 * The wait in milliseconds after this many failures in a row (1 for the first one); 0 after none. To reset it, set the
 * count to 0 after a success. `random` returns numbers from 0 up to 1.
 */
export function backoffDelay(
  policy: BackoffPolicy,
  failures: number,
  random: () => number = Math.random,
): number {
  if (failures <= 0) {
    return 0;
  }
  const full = Math.min(policy.maxMs, policy.initialMs * policy.factor ** (failures - 1));
  return full * (1 - policy.jitter * random());
}
