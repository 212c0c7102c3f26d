import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { sha256Of } from "../checksums.ts";
import type { ReleaseContext } from "../context.ts";
import { printFormula } from "./formula.ts";

/** Writes the formula for the archives of fluxctl among what was made; resolves to its path. */
export async function writeFormula(
  paths: readonly string[],
  { out, version, signal }: ReleaseContext,
): Promise<string> {
  const checksums = new Map<string, string>();
  for (const path of paths) {
    const [, platform] =
      new RegExp(`^fluxctl_${RegExp.escape(version)}_(.*)\\.tar\\.gz$`).exec(basename(path)) ?? [];
    if (platform !== undefined) {
      checksums.set(platform, await sha256Of(path, signal));
    }
  }
  const formula = join(out, "bin", "fluxctl.rb");
  await writeFile(formula, printFormula({ version, checksums }));
  return formula;
}
