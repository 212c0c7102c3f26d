/** fluxd: takes argv and env, and sets the exit code. */

import { version } from "@weir/base";
import { parseFluxdArgs } from "./config.ts";
import { endProcess } from "./end-process.ts";
import { refuse, runDaemon } from "./run.ts";

/** A function, because the bundle is CommonJS, which has no top-level await. */
async function main(): Promise<void> {
  const outcome = parseFluxdArgs(process.argv.slice(2), process.env);
  process.stderr.write(outcome.stderr);
  switch (outcome.kind) {
    case "usage":
      process.exitCode = outcome.exitCode;
      break;
    case "version":
      process.stdout.write(`${version}\n`);
      break;
    case "refused":
      refuse(outcome);
      process.exitCode = 1;
      break;
    case "run":
      // All parts have stopped.
      endProcess(await runDaemon(outcome, process.env));
  }
}

void main();
