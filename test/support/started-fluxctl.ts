import { join } from "node:path";
import { StartedProgram } from "@weir/testing";
import { programs } from "./programs.ts";

const program = join(programs, "fluxctl");

/** The built fluxctl with a command that goes on until it's ended. */
export class StartedFluxctl extends StartedProgram {
  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    super(program, args, { env: { PATH: process.env["PATH"], HOME: "/nonexistent", ...env } });
  }

  /** The whole lines on stdout. */
  get lines(): readonly string[] {
    return this.stdout.split("\n").slice(0, -1);
  }
}
