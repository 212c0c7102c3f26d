/** Starts the parts in order, runs until a signal, and stops them in reverse. */

import {
  createLogger,
  type Environment,
  type LogFields,
  type Logger,
  messageOf,
  systemClock,
  version,
} from "@weir/base";
import { ListenError } from "@weir/flux/serving";
import { compose } from "./compose.ts";
import type { ParseOutcome } from "./config.ts";
import { endProcess } from "./end-process.ts";
import { endOnFaults, UncaughtFaultError } from "./last-resort.ts";
import { configRedactor } from "./redactor.ts";
import type { FluxdConfig } from "./settings.ts";
import { StartupError } from "./startup-checks.ts";

/** How long the parts can take to stop, in milliseconds; after that, fluxd exits without waiting for the rest. */
const stopLimit = 9_000;

/** Logs why fluxd doesn't start. */
export function refuse({ logFormat, log }: Extract<ParseOutcome, { kind: "refused" }>): void {
  const logger = createFluxdLogger(logFormat, (text) => text);
  for (const fields of [{ version }, ...log]) {
    logger.log(fields);
  }
}

/** Runs the daemon until SIGINT or SIGTERM; resolves to the exit code. */
export async function runDaemon(
  { config, log }: Extract<ParseOutcome, { kind: "run" }>,
  env: Environment,
): Promise<number> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stop.abort(new Error(`received ${signal}`)));
  }
  const logger = createFluxdLogger(config.logFormat, configRedactor(config));
  endOnFaults(stop, logger);
  for (const fields of [{ version }, ...log]) {
    logger.log(fields);
  }
  try {
    return await daemonUntil(stop, config, env, logger);
  } catch (error) {
    logger.log({ err: `cannot stop all parts cleanly: ${messageOf(error)}` });
    return 1;
  }
}

async function daemonUntil(
  stop: AbortController,
  config: FluxdConfig,
  env: Environment,
  logger: Logger,
): Promise<number> {
  await using cleanup = new AsyncDisposableStack();
  // A part that hangs must not keep the process from exiting in time.
  stop.signal.addEventListener("abort", () => {
    void systemClock.sleep(stopLimit).then(() => endProcess(Number(process.exitCode ?? 0)));
  });
  try {
    const daemon = await compose({ config, env, logger, cleanup, signal: stop.signal });
    await daemon.run(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) {
      logger.log(lastWords(error));
      return 1;
    }
  }
  logger.log({ exiting: messageOf(stop.signal.reason) });
  return stop.signal.reason instanceof UncaughtFaultError ? 1 : 0;
}

/** The last log line: why fluxd doesn't start, or why it ends. */
function lastWords(error: unknown): LogFields {
  if (error instanceof StartupError) {
    return error.fields;
  }
  return error instanceof ListenError
    ? { err: `${error.message}; choose another address with --listen, --listen-metrics or --listen-webhooks` }
    : { err: messageOf(error) };
}

function createFluxdLogger(format: FluxdConfig["logFormat"], redact: (text: string) => string): Logger {
  return createLogger({
    format,
    clock: systemClock,
    redact,
    write: (line) => void process.stderr.write(line),
  });
}
