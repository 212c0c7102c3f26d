import { execFile } from "node:child_process";
import { join } from "node:path";
import type { Environment } from "@weir/base";
import { runFluxctl as run } from "../../cmd/fluxctl/run.ts";
import type { Terminal } from "../../cmd/fluxctl/terminal.ts";
import { programs } from "./programs.ts";
import { type ApiAnswer, type ApiCall, ScriptedApi } from "./scripted-api.ts";

const program = join(programs, "fluxctl");

/** What fluxctl printed and how it ended. */
export interface FluxctlResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs what fluxctl's program runs, in this process, which takes a tenth of the processor time. Only git, which knows the
 * author, gets the process's environment.
 */
export async function callFluxctl(
  args: readonly string[],
  env: Environment = {},
  person: Partial<Terminal> = {},
): Promise<FluxctlResult> {
  process.env["GIT_CONFIG_GLOBAL"] ??= "/dev/null";
  const printed = { stdout: "", stderr: "" };
  const out = (text: string) => (printed.stdout += text);
  const err = (text: string) => (printed.stderr += text);
  const exit = await run(args, { ...person, out, err, env });
  return { exit, ...printed };
}

/** Calls fluxctl with an API that answers from `script`. */
export async function callBefore(...asked: Parameters<typeof askBefore>): Promise<FluxctlResult> {
  return (await askBefore(...asked)).result;
}

/** As `callBefore`, and tells what the API was asked. */
export async function askBefore(
  script: (call: ApiCall) => ApiAnswer | undefined,
  args: readonly string[],
  person: Partial<Terminal> = {},
) {
  await using api = await ScriptedApi.start(script);
  const result = await callFluxctl(args, { ...person.env, FLUX_URL: api.url }, person);
  return { ...result, result, calls: api.calls, lines: api.calls.map(({ line }) => line) };
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
