import { setTimeout as sleep } from "node:timers/promises";

/** The maximum wait, in milliseconds. */
const patience = 60_000;

/** Resolves when the condition is true. Rejects after a minute, if the condition rejects, or if aborted. */
export async function until(
  what: string,
  isDone: () => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  const end = Date.now() + patience;
  while (!(await isDone())) {
    if (Date.now() > end) {
      throw new Error(`gave up after ${patience / 1000} s waiting for ${what}`);
    }
    await sleep(50, undefined, { signal });
  }
}
