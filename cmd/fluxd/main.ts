/** fluxd: argv and env in, exit code out. */

import { version } from "@weir/base";
import { parseFluxdArgs } from "./config.ts";
import { refuse, runDaemon } from "./run.ts";

/** A function, since the bundle is CommonJS, which knows no await outside of one. */
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
      // All parts have stopped: what still holds the process, such as a timer of a library, is not waited for.
      process.exit(await runDaemon(outcome, process.env));
  }
}

void main();
