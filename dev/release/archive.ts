import { lutimes, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { runTool } from "./run-tool.ts";

/** A folder to pack, under its own name. */
export interface ArchiveOptions {
  readonly folder: string;
  /** A path that ends in .tar.gz or .zip. */
  readonly archive: string;
  /** In seconds since the epoch: the time of all files in it. */
  readonly sourceDate: number;
}

/** Packs a folder so that the same files give the same bytes. */
export async function packArchive(options: ArchiveOptions, signal: AbortSignal): Promise<void> {
  await (options.archive.endsWith(".zip") ? packZip(options, signal) : packTar(options, signal));
}

async function packTar({ folder, archive, sourceDate }: ArchiveOptions, signal: AbortSignal): Promise<void> {
  const args = [
    ...["--create", "--format=ustar", "--sort=name", `--mtime=@${sourceDate}`],
    ...["--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"],
    // Without the name and the time of the file.
    ...["--use-compress-program=gzip --best --no-name", `--file=${archive}`],
    ...[`--directory=${dirname(folder)}`, basename(folder)],
  ];
  await runTool({ program: "tar", debianPackage: "tar", args }, signal);
}

/** zip has no option for times and order: it takes them from the files, and from the order of its input. */
async function packZip({ folder, archive, sourceDate }: ArchiveOptions, signal: AbortSignal): Promise<void> {
  const entries = await readdir(folder, { recursive: true });
  const names = [basename(folder), ...entries.map((name) => join(basename(folder), name))].sort();
  await Promise.all(names.map((name) => lutimes(join(dirname(folder), name), sourceDate, sourceDate)));
  const args = ["-q", "-X", archive, ...names];
  await runTool({ program: "zip", debianPackage: "zip", args, cwd: dirname(folder) }, signal);
}
