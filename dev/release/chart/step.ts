import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { goProgram } from "@weir/toolchain";
import type { ReleaseContext, ReleaseStep } from "../context.ts";
import { createArguments, extractArguments } from "./archive.ts";

const source = join(import.meta.dirname, "..", "..", "..", "chart");

/** The charts, by their folders. */
const names = ["weir", "weir-console"];

/** Packages the Helm charts as `chart/<name>-<version>.tgz`. */
export const chartStep: ReleaseStep = async (context) => {
  context.say("packaging the charts");
  const made: string[] = [];
  for (const name of names) {
    made.push(await packageChart(name, context));
  }
  return made;
};

async function packageChart(
  name: string,
  { version, sourceDate, out, work, signal }: ReleaseContext,
): Promise<string> {
  const packed = join(work, "chart-packed");
  const unpacked = join(work, "chart-unpacked");
  const result = join(out, "chart", `${name}-${version}.tgz`);
  for (const folder of [packed, unpacked, join(out, "chart")]) {
    await mkdir(folder, { recursive: true });
  }
  const helm = await goProgram("helm", { signal });
  const versions = ["--version", version, "--app-version", version];
  await run(helm, ["package", join(source, name), ...versions, "--destination", packed], signal);
  // helm writes the time of day into the archive.
  await run("tar", extractArguments(join(packed, `${name}-${version}.tgz`), unpacked), signal);
  await run("tar", createArguments({ folder: unpacked, name, file: result, time: sourceDate }), signal);
  return result;
}

/** Resolves when the program has succeeded; rejects with what it said, or with what to install. */
async function run(program: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  try {
    await promisify(execFile)(program, args, { signal });
  } catch (error) {
    signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      throw new Error(`can't run ${program}: install the Debian package tar`, { cause: error });
    }
    throw error;
  }
}
