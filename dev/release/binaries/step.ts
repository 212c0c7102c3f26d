import { mapBounded } from "@weir/base";
import type { ReleaseStep } from "../context.ts";
import { platforms } from "./platforms.ts";
import { releaseProgram } from "./release-program.ts";
import { writeFormula } from "./write-formula.ts";

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
