/** weir-console: takes argv and env, and sets the exit code. */
import { runConsoleProgram } from "./program.ts";
import { untilStopped } from "./stopping.ts";

/** A function, because the bundle is CommonJS, which has no top-level await. */
async function main(): Promise<void> {
  // The reader of our output may stop early.
  process.stdout.on("error", () => process.exit(0));
  const code = await runConsoleProgram(process.argv.slice(2), {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    env: process.env,
    stop: untilStopped(),
  });
  // All parts have stopped. Exits without waiting for what still keeps the process alive, such as a library's timer.
  process.exit(code);
}

void main();
