import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { packArchive } from "../archive.ts";
import type { ReleaseContext } from "../context.ts";
import { fetchNode } from "../fetch-node.ts";
import { archiveLayout } from "./archive-layout.ts";
import { bundlesOf } from "./bundles.ts";
import { packageName } from "./debian-control.ts";
import { buildDebianPackage } from "./debian-package.ts";
import { dropWindowsSignature } from "./drop-windows-signature.ts";
import { recordCode } from "./embedded-code.ts";
import { buildExecutable } from "./executable.ts";
import { filesOf } from "./files-of-program.ts";
import { fileNameOf, ownPlatform, type Platform, type Program, releaseName } from "./platforms.ts";
import { signForMac } from "./sign-for-mac.ts";
import { writeFiles } from "./write-files.ts";

const root = join(import.meta.dirname, "..", "..", "..");

/** A program for a platform. */
export interface Target {
  readonly program: Program;
  readonly platform: Platform;
  /** False to leave out the code that is compiled in advance, as where this machine can't make it. */
  readonly compile?: boolean;
}

/** Builds what is released of a program for a platform; resolves to the paths, the archive first. */
export async function releaseProgram(
  target: Target,
  { version, sourceDate, out, work, signal }: ReleaseContext,
): Promise<readonly string[]> {
  const { program, platform } = target;
  const name = releaseName(program, version, platform);
  const workshop = join(work, "binaries", name);
  const folder = join(out, "bin");
  await mkdir(folder, { recursive: true });
  const executable = join(workshop, fileNameOf(program, platform));
  await executableOf(target, executable, signal);

  // The license is the same on all platforms.
  const { license } = await fetchNode(buildPlatform().nodePackage, "executable", signal);
  const files = await filesOf(program, { root, nodeLicense: license }, signal);
  const packed = join(workshop, name);
  await writeFiles(packed, archiveLayout(fileNameOf(program, platform), executable, files));
  const archive = join(folder, `${name}.${platform.system === "windows" ? "zip" : "tar.gz"}`);
  await rm(archive, { force: true });
  await packArchive({ folder: packed, archive, sourceDate }, signal);
  if (platform.system !== "linux") {
    return [archive];
  }
  const { architecture } = platform;
  const output = join(folder, `${packageName(program)}_${version}_${architecture}.deb`);
  const staged = join(workshop, "debian");
  await buildDebianPackage(
    { program, version, platform, executable, files, sourceDate, work: staged, output },
    signal,
  );
  return [archive, output];
}

/** Builds an executable, and signs it where the system asks for that. */
export async function executableOf(
  { program, platform, compile = true }: Target,
  output: string,
  signal: AbortSignal,
): Promise<void> {
  const own = buildPlatform();
  const bundles = bundlesOf(program, join(root, "dist", "lib"));
  const { program: node } = await fetchNode(platform.nodePackage, "executable", signal);
  const { program: builder } = await fetchNode(own.nodePackage, "executable", signal);
  const work = `${output}.work`;
  const recording = { program, bundles, node, folder: join(work, "code") };
  const code = compile && platform === own ? await recordCode(recording, signal) : new Map<string, string>();
  await buildExecutable({ program, bundles, code, node, builder, work, output }, signal);
  if (platform.system === "darwin") {
    await signForMac({ executable: output, identity: program }, signal);
  }
  if (platform.system === "windows") {
    await dropWindowsSignature(output);
  }
}

function buildPlatform(): Platform {
  const own = ownPlatform();
  if (own === undefined) {
    throw new Error("executables can be built on Linux and macOS, on amd64 and arm64");
  }
  return own;
}
