/** Work in steps of at most several milliseconds, between which other work can run. Returns the result of the work. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** The number of nodes to read or write in one step. */
export const nodesOfStep = 1_000;

/** Runs all steps immediately. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      return step.value;
    }
  }
}
