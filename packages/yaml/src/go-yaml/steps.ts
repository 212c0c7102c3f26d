/**
 * Work that is done in steps of some milliseconds at the most: between them others may have their turn. What it
 * gives is its result.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** So many nodes are read or written in a step. */
export const nodesOfStep = 1_000;

/** Does all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      return step.value;
    }
  }
}
