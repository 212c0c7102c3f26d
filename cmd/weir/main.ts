import { join } from "node:path";
import { version } from "@weir/base";
import { demo } from "./demo.ts";

/** The folder with fluxd and fluxctl: the bundle of this file is in its subfolder `lib`. */
const programs = join(import.meta.dirname, "..");

const usage = `Usage:
  weir demo         shows Weir at work, with a cluster of its own; see weir demo --help
  weir --version    prints the version

Weir's programs are fluxd and fluxctl, which are installed together with this one.`;

async function main([command, ...rest]: readonly string[]): Promise<number> {
  switch (command) {
    case "demo":
      return demo(rest, programs);
    case "--version":
      console.log(version);
      return 0;
    case undefined:
    case "--help":
    case "-h":
      console.log(usage);
      return 0;
    default:
      console.error(`Error: weir has no command ${JSON.stringify(command)}\n\n${usage}`);
      return 2;
  }
}

void main(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});
