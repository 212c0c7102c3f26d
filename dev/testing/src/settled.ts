/**
 * Resolves when everything that waits for nothing but promises has happened. This isn't a guess: Node runs all callbacks
 * of promises, and those that they add, before it calls anybody else, such as the immediate that this waits for. So what
 * hasn't happened by then waits for something else: a timer, a file, a socket, or the test.
 */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
