import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { keptBuild } from "@weir/toolchain";
import lock from "../../../scripts/pinned-node/package-lock.json" with { type: "json" };
import type { Architecture } from "./architecture.ts";
import { runProgram } from "./run-program.ts";

/** The Node.js of an image, as scripts/pinned-node pins it. */
export function pinnedNode({ nodePackage }: Architecture): {
  readonly version: string;
  readonly integrity: string;
} {
  return lock.packages[`node_modules/${nodePackage}`];
}

/** The paths of an unpacked Node.js. */
export interface UnpackedNode {
  readonly program: string;
  readonly license: string;
}

/** What is taken of the package. */
const members = ["package/bin/node", "package/LICENSE"];

/** That Node.js, which is downloaded once and checked. */
export async function unpackedNode(architecture: Architecture, signal: AbortSignal): Promise<UnpackedNode> {
  const { version, integrity } = pinnedNode(architecture);
  const name = architecture.nodePackage;
  const folder = await keptBuild({
    name: `download-${name}`,
    hash: createHash("sha256")
      .update([integrity, ...members].join())
      .digest("hex")
      .slice(0, 16),
    fill: async (unfinished) => {
      const quiet = ["--prefer-offline", "--no-progress", "--no-update-notifier", "--loglevel=error"];
      const args = ["pack", `${name}@${version}`, "--json", `--pack-destination=${unfinished}`, ...quiet];
      const printed = await runProgram({ program: "npm", debianPackage: "npm", args, signal });
      const [{ filename = "" } = {}] = JSON.parse(printed.toString()) as readonly { filename?: string }[];
      const tarball = join(unfinished, filename);
      if (checksumOf(await readFile(tarball)) !== integrity) {
        throw new Error(`the checksum of ${name}@${version} differs from that in scripts/pinned-node`);
      }
      const unpack = ["--extract", "--gzip", `--file=${tarball}`, `--directory=${unfinished}`];
      const taken = [...unpack, "--strip-components=1", ...members];
      await runProgram({ program: "tar", debianPackage: "tar", args: taken, signal });
      await rm(tarball);
    },
    signal,
  });
  return { program: join(folder, "bin", "node"), license: join(folder, "LICENSE") };
}

/** As lockfiles have it. */
function checksumOf(content: Buffer): string {
  return `sha512-${createHash("sha512").update(content).digest("base64")}`;
}
