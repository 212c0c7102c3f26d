import { type Logger, messageOf } from "@weir/base";

/** How much of a message to log, in characters, because an error may quote its input. */
const longestMessage = 2_000;
/** How many of the innermost calls to log. */
const mostFrames = 8;
/** If writing the log itself fails, each attempt to log that causes another error. */
const mostTold = 5;

/**
 * Logs uncaught errors, and aborts `stop`. The logger prints the message and removes secrets from it; the locations in
 * the code contain none. The process must then end with exit code 1.
 */
export function endOnFaults(stop: AbortController, logger: Logger): void {
  let told = 0;
  const end = (fault: unknown): void => {
    process.exitCode = 1;
    told += 1;
    if (told <= mostTold) {
      const err = messageOf(fault).slice(0, longestMessage);
      logger.log({ err, at: framesOf(fault), info: "internal error in fluxd, exiting; please report this" });
    }
    stop.abort(new UncaughtFaultError(fault));
  };
  process.on("uncaughtException", end);
  process.on("unhandledRejection", end);
}

/** An unexpected error was thrown. Current work may be left half done, so fluxd shuts down. */
export class UncaughtFaultError extends Error {
  override readonly name = "UncaughtFaultError";

  constructor(cause: unknown) {
    super("an internal error in fluxd", { cause });
  }
}

/** Without the message, which comes before the calls. */
function framesOf(fault: unknown): string | undefined {
  const frames = fault instanceof Error ? fault.stack?.match(/^ {4}at .*$/gm) : undefined;
  return frames
    ?.slice(0, mostFrames)
    .map((frame) => frame.trim())
    .join(", ");
}
