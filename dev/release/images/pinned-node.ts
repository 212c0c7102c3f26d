import { createHash } from "node:crypto";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { keptBuild } from "@weir/toolchain";
import lock from "../../../scripts/pinned-node/package-lock.json" with { type: "json" };
import { runTool } from "../binaries/run-tool.ts";
import type { Architecture } from "./architecture.ts";

/** The Node.js of an image, as scripts/pinned-node pins it. */
export function pinnedNode({ nodePackage }: Architecture): {
  readonly version: string;
  readonly integrity: string;
} {
  return lock.packages[`node_modules/${nodePackage}`];
}

/** What is taken of the package. */
const members = ["package/bin/node", "package/LICENSE"];

/** A folder with that Node.js and its license, where Node.js's own image has them. It is downloaded once, and checked. */
export async function unpackedNode(architecture: Architecture, signal: AbortSignal): Promise<string> {
  const { version, integrity } = pinnedNode(architecture);
  const name = architecture.nodePackage;
  return keptBuild({
    name: `download-${name}`,
    hash: createHash("sha256")
      .update([integrity, "usr/local", ...members].join())
      .digest("hex")
      .slice(0, 16),
    fill: async (unfinished) => {
      const quiet = ["--prefer-offline", "--no-progress", "--no-update-notifier", "--loglevel=error"];
      const args = ["pack", `${name}@${version}`, "--json", `--pack-destination=${unfinished}`, ...quiet];
      const printed = await runTool({ program: "npm", debianPackage: "npm", args }, signal);
      const [{ filename = "" } = {}] = JSON.parse(printed) as readonly { filename?: string }[];
      const tarball = join(unfinished, filename);
      if (checksumOf(await readFile(tarball)) !== integrity) {
        throw new Error(`the checksum of ${name}@${version} differs from that in scripts/pinned-node`);
      }
      const to = join(unfinished, "usr", "local");
      await mkdir(to, { recursive: true });
      const unpack = ["--extract", "--gzip", `--file=${tarball}`, `--directory=${to}`];
      await runTool({ program: "tar", args: [...unpack, "--strip-components=1", ...members] }, signal);
      await rm(tarball);
    },
    signal,
  });
}

/** As lockfiles have it. */
function checksumOf(content: Buffer): string {
  return `sha512-${createHash("sha512").update(content).digest("base64")}`;
}
