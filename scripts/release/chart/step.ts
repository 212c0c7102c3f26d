import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { goProgram } from "@weir/toolchain";
import type { ReleaseStep } from "../context.ts";
import { createArguments, extractArguments } from "./archive.ts";

const source = join(import.meta.dirname, "..", "..", "..", "chart", "weir");

/** Packages the Helm chart as `chart/weir-<version>.tgz`. */
export const chartStep: ReleaseStep = async ({ version, sourceDate, out, work, say, signal }) => {
  say("packaging the chart");
  const packed = join(work, "chart-packed");
  const unpacked = join(work, "chart-unpacked");
  const result = join(out, "chart", `weir-${version}.tgz`);
  for (const folder of [packed, unpacked, join(out, "chart")]) {
    await mkdir(folder, { recursive: true });
  }
  const helm = await goProgram("helm", { signal });
  const versions = ["--version", version, "--app-version", version];
  await run(helm, ["package", source, ...versions, "--destination", packed], signal);
  // helm writes the time of day into the archive.
  await run("tar", extractArguments(join(packed, `weir-${version}.tgz`), unpacked), signal);
  await run(
    "tar",
    createArguments({ folder: unpacked, name: "weir", file: result, time: sourceDate }),
    signal,
  );
  return [result];
};

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
