/** Polls almost without pause until the condition is true; resolves to seconds. */
export async function until(
  what: string,
  isTrue: () => Promise<boolean> | boolean,
  limitSeconds: number,
): Promise<number> {
  const started = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - started > limitSeconds * 1000) {
      throw new Error(`gave up after ${limitSeconds} s waiting for: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return (performance.now() - started) / 1000;
}
