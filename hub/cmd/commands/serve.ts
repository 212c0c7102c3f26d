import { type Logger, messageOf, systemClock } from "@weir/base";
import { flagsOf, type LoadedCommand } from "@weir/cli";
import { consoleAnswers } from "../../src/program/handlers.ts";
import { serveConsole } from "../../src/program/serve.ts";
import { StartError } from "../../src/program/start-error.ts";
import { declareServeFlags, fillFromEnvironment, type SharedFlags } from "../flags.ts";
import { pageFolder } from "../page-folder.ts";
import { readSettings } from "../read-settings.ts";
import { endAfter } from "../stopping.ts";
import type { ConsoleTerminal } from "../terminal.ts";
import { loggerFor } from "./database.ts";

/** How long the parts can take to stop, in milliseconds. */
const stopLimit = 9_000;

/** `weir-console serve` */
export function serveCommand(shared: SharedFlags, terminal: ConsoleTerminal): LoadedCommand {
  const flags = declareServeFlags();
  const { env, stop } = terminal;
  return {
    use: "serve",
    long: `Runs the console until it gets SIGTERM or SIGINT.

Each flag can be set by an environment variable as well, such as --public-url by WEIR_CONSOLE_PUBLIC_URL. Without DATABASE_URL and --database-url-file, the console keeps its data in an embedded database in --data-folder, which only one console can use at a time.`,
    flags: flagsOf(flags),
    run: async (args) => {
      if (args.length > 0) {
        throw new StartError(`serve takes no arguments: leave out ${args.join(" ")}`);
      }
      fillFromEnvironment(flags, env);
      const settings = readSettings(shared, flags, env);
      const log = loggerFor(shared, terminal);
      endOnFaults(stop, log);
      endAfter(stop.signal, stopLimit);
      await serveConsole(
        settings,
        {
          clock: systemClock,
          log,
          env,
          pageFolder: flags.pageFolder.value || pageFolder(),
          answers: consoleAnswers,
        },
        stop.signal,
      );
      log.log({ exiting: messageOf(stop.signal.reason) });
      if (stop.signal.reason instanceof InternalError) {
        throw stop.signal.reason;
      }
    },
  };
}

/** An error that nothing caught: what was going on may be left half done, so that the console ends. */
class InternalError extends Error {
  override readonly name = "InternalError";
}

function endOnFaults(stop: AbortController, log: Logger): void {
  const end = (fault: unknown): void => {
    const at = fault instanceof Error ? fault.stack?.match(/^ {4}at .*$/gm)?.slice(0, 8) : undefined;
    log.log({
      err: messageOf(fault).slice(0, 2_000),
      at: at?.map((frame) => frame.trim()).join(", "),
      info: "internal error in weir-console, exiting; please report this",
    });
    stop.abort(new InternalError("an internal error", { cause: fault }));
  };
  process.on("uncaughtException", end);
  process.on("unhandledRejection", end);
}
