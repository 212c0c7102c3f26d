import type { WriteStream } from "node:tty";
import { messageOf } from "@weir/base";
import { openKeyboard } from "./keyboard.ts";
import { runFluxctl } from "./root.ts";
import type { Screen } from "./terminal.ts";

/** Longer than any command takes; its timer only keeps the process alive while one waits. */
const forever = 2 ** 31 - 1;

/** What asks fluxctl to end. A second time it ends at once. */
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs fluxctl with the arguments and the surroundings of this process. */
async function main(): Promise<void> {
  process.on("uncaughtException", endOnFault);
  process.on("unhandledRejection", endOnFault);
  const alive = setInterval(() => undefined, forever);
  const interruption = new AbortController();
  for (const signal of endingSignals) {
    process.once(signal, () => interruption.abort(signal));
  }
  // Whoever reads our output may have seen enough, e.g. `fluxctl list-workloads | head`.
  process.stdout.on("error", () => process.exit(0));
  process.exitCode = await runFluxctl(process.argv.slice(2), {
    out: (text) => void process.stdout.write(text),
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
    // As if it had never been caught: so the shell learns why we ended, and a script ends with us.
    process.kill(process.pid, String(interruption.signal.reason));
  }
}

/** For a fault of ours that nobody caught. What was asked for may have been done, so the daemon is to be asked. */
function endOnFault(fault: unknown): void {
  process.stderr.write(`Error: a fault of fluxctl itself, please report it: ${messageOf(fault)}\n`);
  process.exit(1);
}

function screenOf(stream: WriteStream): Screen {
  return { columns: () => stream.columns, rows: () => stream.rows };
}

void main();
