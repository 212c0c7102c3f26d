import { spawn } from "node:child_process";
import { buffer, text } from "node:stream/consumers";
import { findProgram } from "@weir/toolchain";

/** A program to run, and the Debian package that has it. */
export interface Run {
  readonly program: string;
  readonly debianPackage: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * Resolves to what the program printed. Throws an error that says what to install if it's missing, or what it said if
 * it failed.
 */
export async function runProgram({ program, debianPackage, args, env, signal }: Run): Promise<Buffer> {
  const path = findProgram(program);
  if (path === undefined) {
    throw new Error(`${program} isn't installed: install Debian's package ${debianPackage}`);
  }
  const child = spawn(path, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(signal === undefined ? {} : { signal }),
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  const [printed, complaints, exit] = await Promise.all([buffer(child.stdout), text(child.stderr), ended]);
  if (exit !== 0) {
    throw new Error(`${program} ${args.slice(0, 3).join(" ")} … failed: ${complaints.trim().slice(-2_000)}`);
  }
  return printed;
}
