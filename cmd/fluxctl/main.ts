import { openKeyboard } from "./keyboard.ts";
import { runFluxctl } from "./root.ts";

/** Longer than any command takes; its timer only keeps the process alive while one waits. */
const forever = 2 ** 31 - 1;

/** Runs fluxctl with the arguments and the surroundings of this process. */
async function main(): Promise<void> {
  const alive = setInterval(() => undefined, forever);
  // Whoever reads our output may have seen enough, e.g. `fluxctl list-workloads | head`.
  process.stdout.on("error", () => process.exit(0));
  process.exitCode = await runFluxctl(process.argv.slice(2), {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    env: process.env,
    columns: () => (process.stdout.isTTY ? process.stdout.columns : undefined),
    openKeyboard,
  });
  clearInterval(alive);
}

void main();
