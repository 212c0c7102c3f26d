/** The maximum wait, in milliseconds. */
const patience = 60_000;

/** Resolves when the condition is true. Rejects after a minute, or if the condition rejects. */
export async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + patience;
  while (!(await isDone())) {
    if (Date.now() > end) {
      throw new Error(`gave up after ${patience / 1000} s waiting for ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
