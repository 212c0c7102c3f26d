import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { mapBounded } from "@weir/base";
import { sha256Of } from "../checksums.ts";
import type { ReleaseContext, ReleaseStep } from "../context.ts";
import { printFormula } from "./formula.ts";
import { platforms } from "./platforms.ts";
import { releaseProgram } from "./release-program.ts";

/** Each takes up to half a GB of memory. */
const atOnce = 2;

/** Builds fluxctl and fluxd as single executables for all platforms: archives, Debian packages, and a formula. */
export const binariesStep: ReleaseStep = async (context) => {
  const targets = platforms.flatMap((platform) =>
    platform.programs.map((program) => ({ program, platform })),
  );
  const made = await mapBounded(targets, atOnce, async (target) => {
    const { program, platform } = target;
    context.say(`building ${program} for ${platform.system} on ${platform.architecture}`);
    return releaseProgram(target, context);
  });
  const paths = made.flat();
  return [...paths, await writeFormula(paths, context)];
};

async function writeFormula(
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
