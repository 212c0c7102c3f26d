import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { readProgram } from "./go-program.ts";
import { type GoTarget, pinnedGo } from "./go-release.ts";

/**
 * The folder in which Go keeps the sources of modules, with at least those that these programs are built from: they are
 * downloaded if they aren't there.
 */
export async function goModuleSources(
  names: readonly string[],
  target: GoTarget,
  signal?: AbortSignal,
): Promise<string> {
  const { program, env } = await pinnedGo(target, signal);
  const go = async (args: readonly string[], cwd: string): Promise<string> =>
    (await promisify(execFile)(program, args, { cwd, env, signal, maxBuffer: 64 * 1024 * 1024 })).stdout;
  for (const { source, package: main } of names.map(readProgram)) {
    await go(["list", "-deps", "-f", "{{.ImportPath}}", main], source);
  }
  return (await go(["env", "GOMODCACHE"], import.meta.dirname)).trim();
}
