/**
 * fluxctl: gives this process's arguments, terminal, and signals to run.ts, which runs the command that program.ts finds
 * in commands/table.ts.
 */
import type { WriteStream } from "node:tty";
import { messageOf } from "@weir/base";
import { runFluxctl } from "./run.ts";
import { openKeyboard, type Screen } from "./terminal.ts";

/** Longer than any command takes; this timer only keeps the process alive during a wait. */
const forever = 2 ** 31 - 1;

/** The signals that end fluxctl. A second one ends it immediately. */
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs fluxctl with the arguments and environment of this process. */
async function main(): Promise<void> {
  process.on("uncaughtException", endOnFault);
  process.on("unhandledRejection", endOnFault);
  const alive = setInterval(() => undefined, forever);
  const interruption = new AbortController();
  for (const signal of endingSignals) {
    process.once(signal, () => interruption.abort(signal));
  }
  // The reader of our output may stop early, e.g. `fluxctl list-workloads | head`.
  process.stdout.on("error", () => process.exit(0));
  process.exitCode = await runFluxctl(process.argv.slice(2), {
    out: (text) => void process.stdout.write(text),
    drained: () =>
      process.stdout.writableNeedDrain
        ? new Promise((resolve) => process.stdout.once("drain", resolve))
        : Promise.resolve(),
    err: (text) => void process.stderr.write(text),
    env: process.env,
    ...(process.stdout.isTTY ? { screen: screenOf(process.stdout) } : {}),
    ...(process.stderr.isTTY ? { errScreen: screenOf(process.stderr) } : {}),
    interrupted: interruption.signal,
    openKeyboard,
  });
  clearInterval(alive);
  endingSignals.forEach((signal) => process.removeAllListeners(signal));
  if (interruption.signal.aborted) {
    // Ends as if the signal had not been caught, so that the shell sees why fluxctl ended, and a script ends
    // with it.
    process.kill(process.pid, String(interruption.signal.reason));
  }
}

/**
 * For a bug that nothing caught. The requested operation may have been done, so the daemon has to be asked.
 */
function endOnFault(fault: unknown): void {
  process.stderr.write(`Error: this is a bug in fluxctl; please report it: ${messageOf(fault)}\n`);
  process.exit(1);
}

function screenOf(stream: WriteStream): Screen {
  return { columns: () => stream.columns, rows: () => stream.rows };
}

void main();
