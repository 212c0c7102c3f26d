import { execFile } from "node:child_process";
import { basename } from "node:path";
import { promisify } from "node:util";

/** A program to run, and the Debian package that has it. */
export interface Tool {
  readonly program: string;
  /** For people whose machine lacks it; undefined for programs that we bring along. */
  readonly debianPackage?: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a program, and resolves to its standard output. Throws with what the program said if it fails, and with the name
 * of a package if it isn't installed.
 */
export async function runTool(tool: Tool, signal: AbortSignal): Promise<string> {
  const { program, args, cwd, env } = tool;
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      maxBuffer: 1 << 26,
      signal,
      env: { ...process.env, LC_ALL: "C", TZ: "UTC", ...env },
      ...(cwd === undefined ? {} : { cwd }),
    });
    return stdout;
  } catch (error) {
    signal.throwIfAborted();
    throw explained(tool, error);
  }
}

/** With the last words of the program, and never its arguments. */
function explained({ program, debianPackage }: Tool, cause: unknown): Error {
  const { code, stderr = "" } = cause as { readonly code?: unknown; readonly stderr?: string };
  const words = stderr.trim().split("\n").slice(-20).join("\n");
  return code === "ENOENT" && debianPackage !== undefined
    ? new Error(`${program} isn't installed: install the package ${debianPackage}`, { cause })
    : new Error(`${basename(program)} failed: ${words === "" ? String(cause) : words}`, { cause });
}
