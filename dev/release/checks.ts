/** The parts of `npm test` that say in a few minutes whether the code is sound, the fastest first. */
export const checks: readonly string[] = ["format", "dead-code", "layers", "types", "lint", "unit"];

/**
 * Runs checks, one after the other, and throws at the first that fails. `run` rejects then, with why; what they print is for
 * the person who waits.
 */
export async function runChecks(
  names: readonly string[],
  run: (name: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  for (const name of names) {
    signal.throwIfAborted();
    try {
      await run(name);
    } catch (error) {
      signal.throwIfAborted();
      throw new Error(`the check "${name}" failed, as printed above`, { cause: error });
    }
  }
}
