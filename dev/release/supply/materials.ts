import { globSync } from "node:fs";
import { join } from "node:path";
import { sha256Of } from "../checksums.ts";
import type { Digests } from "./provenance.ts";

/** The files of the repository that pin what a release fetches from elsewhere. */
const patterns = [
  // The packages in the bundles, and those that make them.
  "package-lock.json",
  // The generator of the documentation site.
  "website/package-lock.json",
  // Node.js: the one that runs the build and is in the images, and the one in the executables.
  "scripts/pinned-node/package-lock.json",
  "dev/release/binaries/node/package-lock.json",
  // Go, and the programs that are built with it, for the images and for the build; Loki is only for tests.
  "dev/toolchain/src/go-release.ts",
  "dev/toolchain/programs/!(loki)/go.{mod,sum}",
  // The Debian packages in the images, and the tools.
  "docker/tools.json",
  "docker/debian/*",
];

/** The digests of these files by their paths in the repository. */
export async function materialsOf(root: string, signal: AbortSignal): Promise<Digests> {
  const digests = new Map<string, string>();
  for (const path of globSync(patterns, { cwd: root }).toSorted()) {
    digests.set(path, await sha256Of(join(root, path), signal));
  }
  return digests;
}
