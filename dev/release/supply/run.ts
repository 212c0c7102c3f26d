import { execFile } from "node:child_process";
import { basename } from "node:path";

/** A program to run to its end. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** Resolves to what the program prints. Rejects with its last words if it fails; they never name its arguments. */
export function run({ program, args, folder, env, signal }: Command): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      { cwd: folder, env: env ?? process.env, signal, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error === null) {
          resolve(stdout);
        } else if (signal.aborted) {
          reject(signal.reason as Error);
        } else {
          const words = stderr.trim().split("\n").slice(-5).join("\n");
          reject(new Error(`${basename(program)} failed: ${words === "" ? error.message : words}`));
        }
      },
    );
    child.stdin?.end();
  });
}
