/** How long to wait before the next try, as failures follow each other. */
export interface BackoffPolicy {
  /** The wait after the first failure, in milliseconds. */
  readonly initialMs: number;
  /** No wait is longer than this. */
  readonly maxMs: number;
  /** By how much each wait is longer than the one before; at least 1. */
  readonly factor: number;
  /** The share of a wait that is left to chance, 0 to 1, so that many clients do not come back at once. */
  readonly jitter: number;
}

/**
 * The wait in milliseconds after that many failures in a row (1 for the first one); 0 where none failed. A
 * success sets the count back to 0: that is the whole reset. `random` gives numbers from 0 up to 1.
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
