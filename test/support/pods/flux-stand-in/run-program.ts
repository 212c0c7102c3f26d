import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** How to run a program. */
export interface ProgramOptions {
  readonly cwd?: string;
  readonly input?: string;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program; resolves to what it printed. Rejects with its standard error where it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, input = "", env = {} }: ProgramOptions = {},
): Promise<string> {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const closed = once(child, "close") as Promise<[number | null]>;
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  if (code !== 0) {
    throw new Error(`${program} ${args[args.length - 1] ?? ""} failed with exit code ${code}: ${stderr}`);
  }
  return stdout;
}
