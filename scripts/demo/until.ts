/** How long anything that is waited for may take, in milliseconds. */
const patience = 60_000;

/** Resolves when that is so. Rejects where it takes longer than a minute, and with what the question rejects with. */
export async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + patience;
  while (!(await isDone())) {
    if (Date.now() > end) {
      throw new Error(`gave up after ${patience / 1000} s waiting for ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
