import { type Logger, messageOf } from "@weir/base";

/** Something was thrown that nobody expected: what was under way may be half done, so fluxd ends in order. */
export class UncaughtFaultError extends Error {
  override readonly name = "UncaughtFaultError";

  constructor(cause: unknown) {
    super("a fault of fluxd itself", { cause });
  }
}

/** The beginning of a message, in characters: an error may quote what it choked on. */
const longestMessage = 2_000;
/** How many of the innermost calls are told. */
const mostFrames = 8;
/** A log that cannot be written is a fault that comes again with each line about it. */
const mostTold = 5;

/**
 * Tells of what nobody caught, and aborts `stop`. The message is printed by the logger, which takes secrets out of it,
 * with the places in the code where it happened, which hold none. The process then has to end with exit code 1.
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

/** Without the message, which stands before the calls. */
function framesOf(fault: unknown): string | undefined {
  const frames = fault instanceof Error ? fault.stack?.match(/^ {4}at .*$/gm) : undefined;
  return frames
    ?.slice(0, mostFrames)
    .map((frame) => frame.trim())
    .join(", ");
}
