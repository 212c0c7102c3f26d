import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { keptBuild } from "@weir/toolchain";
import { npmPack } from "./npm-pack.ts";
import { runTool } from "./run-tool.ts";

const lockfiles = {
  image: "scripts/pinned-node/package-lock.json",
  executable: "dev/release/binaries/node/package-lock.json",
};

/** A Node.js for some platform. */
export interface FetchedNode {
  /** A folder that has it where Node.js's own image has it. */
  readonly folder: string;
  /** The path of its executable. */
  readonly program: string;
  /** The path of its license; the package for Windows lacks it. */
  readonly license: string;
}

/** What a lockfile says of a package. */
interface PinnedNode {
  readonly version: string;
  readonly integrity: string;
  readonly bin: { readonly node: string };
}

/** What is pinned of a package of npm with Node.js, to go into an image or an executable. */
export function pinnedNode(name: string, use: keyof typeof lockfiles): PinnedNode {
  const text = readFileSync(join(import.meta.dirname, "../..", lockfiles[use]), "utf8");
  const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, PinnedNode>> };
  const pinned = packages[`node_modules/${name}`];
  if (pinned === undefined) {
    throw new Error(`${lockfiles[use]} doesn't pin ${name}`);
  }
  return pinned;
}

/** That Node.js, checked against the checksum that is pinned; downloaded once, 40 to 60 MB. */
export async function fetchNode(
  name: string,
  use: keyof typeof lockfiles,
  signal: AbortSignal,
): Promise<FetchedNode> {
  const { version, integrity, bin } = pinnedNode(name, use);
  const folder = await keptBuild({
    name: `program-${name}`,
    hash: createHash("sha256").update(`usr/local ${integrity}`).digest("hex").slice(0, 16),
    fill: async (unfinished) => {
      const tarball = join(unfinished, await npmPack(`${name}@${version}`, unfinished, signal));
      const checksum = createHash("sha512")
        .update(await readFile(tarball, { signal }))
        .digest("base64");
      if (`sha512-${checksum}` !== integrity) {
        throw new Error(`the checksum of ${name}@${version} differs from the pinned one`);
      }
      const to = join(unfinished, "usr", "local");
      await mkdir(to, { recursive: true });
      const unwanted = ["--exclude=package/include", "--exclude=package/share"];
      const args = ["-xzf", tarball, "-C", to, "--strip-components=1", ...unwanted];
      await runTool({ program: "tar", debianPackage: "tar", args }, signal);
      await rm(tarball);
    },
    signal,
  });
  const local = join(folder, "usr", "local");
  return { folder, program: join(local, bin.node), license: join(local, "LICENSE") };
}
