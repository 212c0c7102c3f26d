import { execFile } from "node:child_process";
import { join } from "node:path";
import { programs } from "./programs.ts";

const program = join(programs, "fluxctl");

/** What fluxctl printed and how it ended. */
export interface FluxctlResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built fluxctl with nothing but PATH and `env` around it. */
export function runFluxctl(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<FluxctlResult> {
  return new Promise((resolve) => {
    const surroundings = { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1", ...env };
    execFile(program, args, { env: surroundings, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const exit = typeof error?.code === "number" ? error.code : error ? -1 : 0;
      resolve({ exit, stdout, stderr });
    });
  });
}
