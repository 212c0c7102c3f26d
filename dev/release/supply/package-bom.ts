import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Metafile } from "esbuild";
import { runTool } from "../run-tool.ts";

/** What to list the contents of. */
export interface PackageBomOptions {
  /** The repository. */
  readonly root: string;
  /** The file to write. */
  readonly output: string;
  readonly signal: AbortSignal;
}

/**
 * Writes the SBOM of a part of what was built: the packages of which it contains code, as esbuild or Vite reported them.
 * The folder is for a temporary file.
 */
export async function writeProgramsBom(
  options: PackageBomOptions & { readonly contents: Metafile; readonly work: string },
): Promise<void> {
  const { root, contents, work } = options;
  mkdirSync(work, { recursive: true });
  const metafile = join(work, "metafile.json");
  writeFileSync(metafile, JSON.stringify(contents));
  await writeBom({ ...options, metafile, folder: root, type: "application" });
}

/**
 * Writes the SBOM of a library that was unpacked in a folder: the packages that its code imports, directly or
 * indirectly, in the versions that it was tested with.
 */
export async function writeLibraryBom(
  options: PackageBomOptions & { readonly folder: string },
): Promise<void> {
  const { root, folder } = options;
  // The SBOM has references that are made of the paths of packages: here, the same ones wherever the folder is.
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const { peerDependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly peerDependencies?: Readonly<Record<string, string>>;
  };
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: globSync("lib/**/*.js", { cwd: folder }).toSorted(),
    outdir: "out",
    write: false,
    bundle: true,
    external: Object.keys(peerDependencies),
    metafile: true,
    platform: "node",
    format: "esm",
    preserveSymlinks: true,
    logLevel: "error",
  });
  const file = join(folder, "metafile.json");
  writeFileSync(file, JSON.stringify(metafile));
  await writeBom({ ...options, metafile: file, type: "library" });
}

interface BomOptions extends PackageBomOptions {
  readonly metafile: string;
  /** What paths in the metafile are relative to; its package.json is that of the component. */
  readonly folder: string;
  readonly type: "application" | "library";
}

async function writeBom({ root, output, signal, metafile, folder, type }: BomOptions): Promise<void> {
  const tool = join(root, "node_modules", "@cyclonedx", "cyclonedx-esbuild");
  const { bin } = JSON.parse(readFileSync(join(tool, "package.json"), "utf8")) as {
    readonly bin: Readonly<Record<string, string>>;
  };
  const program = join(tool, bin["cyclonedx-esbuild"] ?? "");
  const options = ["--output-reproducible", "--validate", "--spec-version", "1.6", "--mc-type", type];
  const args = [program, ...options, "--build-working-dir", folder, "--output-file", output, metafile];
  await runTool({ program: process.execPath, args }, signal);
}
