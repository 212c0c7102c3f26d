import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { runTool } from "../run-tool.ts";
import { printControl } from "./debian-control.ts";
import { debianLayout } from "./debian-layout.ts";
import type { ProgramFiles } from "./files-of-program.ts";
import type { Platform, Program } from "./platforms.ts";
import { writeFiles } from "./write-files.ts";

/** A Debian package to build. */
export interface DebianOptions {
  readonly program: Program;
  readonly version: string;
  readonly platform: Platform;
  readonly executable: string;
  readonly files: ProgramFiles;
  /** In seconds since the epoch: the time of all files in it. */
  readonly sourceDate: number;
  /** A folder of its own, for what is needed on the way. */
  readonly work: string;
  readonly output: string;
}

/** Builds a package; the same input gives the same bytes. */
export async function buildDebianPackage(options: DebianOptions, signal: AbortSignal): Promise<void> {
  const { program, version, platform, executable, files, sourceDate, work, output } = options;
  const facts = { program, version, architecture: platform.architecture };
  await writeFiles(work, debianLayout({ facts, executable, files, sourceDate }));
  const control = printControl({ ...facts, installedBytes: await sizeOf(work) });
  await writeFiles(join(work, "DEBIAN"), new Map([["control", control]]));
  // xz would make it smaller, and take many times as long.
  const args = ["-Zgzip", "-z6", "--root-owner-group", "--build", work, output];
  const env = { SOURCE_DATE_EPOCH: String(sourceDate) };
  await runTool({ program: "dpkg-deb", debianPackage: "dpkg", args, env }, signal);
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
