import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { goProgram } from "@weir/toolchain";
import { packArchive } from "../archive.ts";
import type { ReleaseContext, ReleaseStep } from "../context.ts";
import { runTool } from "../run-tool.ts";

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
  const archive = join(out, "chart", `${name}-${version}.tgz`);
  for (const folder of [packed, unpacked, dirname(archive)]) {
    await mkdir(folder, { recursive: true });
  }
  const versions = ["--version", version, "--app-version", version];
  const args = ["package", join(source, name), ...versions, "--destination", packed];
  await runTool({ program: await goProgram("helm", { signal }), args }, signal);
  // helm writes the time of day into the archive.
  const tarball = join(packed, `${name}-${version}.tgz`);
  const extract = ["--extract", "--gzip", "--no-same-owner", `--file=${tarball}`, `--directory=${unpacked}`];
  await runTool({ program: "tar", debianPackage: "tar", args: extract }, signal);
  await packArchive({ folder: join(unpacked, name), archive, sourceDate }, signal);
  return archive;
}
