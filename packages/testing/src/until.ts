/**
 * Calls a function repeatedly until it returns a result (not undefined or false), and resolves to it. Rejects
 * after `seconds`, with the last error if there was one: a test waits for a condition, never for a fixed
 * time.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  seconds = 60,
): Promise<T> {
  const end = Date.now() + seconds * 1000;
  let last: unknown;
  while (Date.now() < end) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) {
        return answer;
      }
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`gave up after ${seconds} s waiting for ${what}`, { cause: last });
}
