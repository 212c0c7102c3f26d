/** Everything was asked to stop, by Ctrl-C or in another way. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}

/**
 * A signal that is aborted when this process is asked to end: by Ctrl-C, by a signal, or because nobody reads what it
 * prints any more. From then on, the process has to end by itself, so that it can clean up first.
 */
export function untilInterrupted(): AbortSignal {
  const interrupted = new AbortController();
  const stop = (): void => interrupted.abort(new InterruptedError("interrupted"));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, stop);
  }
  process.stdout.on("error", stop);
  process.stderr.on("error", stop);
  return interrupted.signal;
}
