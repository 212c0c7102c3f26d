/** The rest between two calls, in milliseconds, at least and at most; and how long it is for each millisecond of a call. */
const shortestRest = 50;
const longestRest = 2_000;
const restPerCall = 3;

/**
 * How long a test waits for a condition, in seconds. It only keeps tests from waiting forever: it must be long enough for
 * the slowest machine when others use it, too.
 */
export const patienceSeconds = 240;

/** Says that what a test waits for can't come anymore, e.g. because a program has ended: `until` gives up at once. */
export class HopelessError extends Error {
  override readonly name = "HopelessError";
}

/**
 * Calls a function repeatedly until it returns a result (not undefined or false), and resolves to it. Rejects
 * after `seconds`, with the last error if there was one, and at once with a HopelessError: a test waits for a condition, never for a fixed
 * time. Between two calls it rests for three times as long as the call took, so that slow ones leave the machine to
 * what they wait for.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  seconds = patienceSeconds,
): Promise<T> {
  const end = Date.now() + seconds * 1000;
  let last: unknown;
  while (Date.now() < end) {
    const asked = Date.now();
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) {
        return answer;
      }
    } catch (error) {
      if (error instanceof HopelessError) {
        throw error;
      }
      last = error;
    }
    const took = Date.now() - asked;
    const rest = Math.min(longestRest, Math.max(shortestRest, took * restPerCall));
    await new Promise((resolve) => setTimeout(resolve, rest));
  }
  throw new Error(`gave up after ${seconds} s waiting for ${what}`, { cause: last });
}
