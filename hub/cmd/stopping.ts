import { systemClock } from "@weir/base";

/** Somebody wants the program to end. */
export class StopRequest extends Error {
  override readonly name = "StopRequest";
}

/**
 * A controller that is aborted when the process is asked to end. Whoever asks a second time doesn't want to wait: then, the
 * process ends at once.
 */
export function untilStopped(): AbortController {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (stop.signal.aborted) {
        process.exit(1);
      }
      stop.abort(new StopRequest(`received ${name}`));
    });
  }
  return stop;
}

/** Ends the process if it still runs so many milliseconds after it was told to stop: a part that hangs must not keep it. */
export function endAfter(stop: AbortSignal, ms: number): void {
  stop.addEventListener("abort", () => void systemClock.sleep(ms).then(() => process.exit(1)));
}
