import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { printControl } from "./debian-control.ts";
import { debianLayout } from "./debian-layout.ts";
import type { ProgramFiles } from "./files-of-program.ts";
import type { Platform, Program } from "./platforms.ts";
import { runTool } from "./run-tool.ts";
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
  await mkdir(join(work, "DEBIAN"));
  await writeFile(join(work, "DEBIAN", "control"), control, { mode: 0o644 });
  await withUsualModes(work);
  // xz would make it a third smaller, and take a minute longer for each.
  const args = ["-Zgzip", "--root-owner-group", "--build", work, output];
  const env = { SOURCE_DATE_EPOCH: String(sourceDate) };
  await runTool({ program: "dpkg-deb", debianPackage: "dpkg", args, env }, signal);
}

/** Whatever umask the files were written with. */
async function withUsualModes(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const isProgram = entry.parentPath.endsWith("usr/bin");
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() || isProgram ? 0o755 : 0o644);
  }
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
