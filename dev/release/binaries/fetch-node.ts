import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { keptBuild } from "@weir/toolchain";
import { runTool } from "./run-tool.ts";

/** A Node.js for some platform. */
export interface FetchedNode {
  /** The path of its executable. */
  readonly program: string;
  /** The path of its license; the package for Windows lacks it. */
  readonly license: string;
}

/** The part of a lockfile that we need. */
interface Lockfile {
  readonly packages: Readonly<
    Record<
      string,
      { readonly version: string; readonly integrity: string; readonly bin: { readonly node: string } }
    >
  >;
}

/**
 * Node.js from a package of npm, in the version that `node/package-lock.json` pins, and checked against the checksum
 * there; downloaded once, 40 to 60 MB.
 */
export async function fetchNode(nodePackage: string, signal: AbortSignal): Promise<FetchedNode> {
  const lockfile = readFileSync(join(import.meta.dirname, "node", "package-lock.json"), "utf8");
  const pinned = (JSON.parse(lockfile) as Lockfile).packages[`node_modules/${nodePackage}`];
  if (pinned === undefined) {
    throw new Error(`dev/release/binaries/node/package-lock.json doesn't pin ${nodePackage}`);
  }
  const { version, integrity, bin } = pinned;
  const folder = await keptBuild({
    name: `program-${nodePackage}`,
    hash: createHash("sha256").update(integrity).digest("hex").slice(0, 16),
    fill: async (unfinished) => {
      const pack = ["pack", `${nodePackage}@${version}`, `--pack-destination=${unfinished}`];
      const quiet = ["--prefer-offline", "--no-progress", "--no-update-notifier", "--loglevel=error"];
      const printed = await runTool(
        { program: "npm", debianPackage: "npm", args: [...pack, ...quiet] },
        signal,
      );
      const tarball = join(unfinished, printed.trim().split("\n").at(-1) ?? "");
      if (checksumOf(await readFile(tarball, { signal })) !== integrity) {
        throw new Error(`the checksum of ${nodePackage}@${version} differs from the pinned one`);
      }
      const unwanted = ["--exclude=package/include", "--exclude=package/share"];
      const extract = ["-xzf", tarball, "-C", unfinished, "--strip-components=1", ...unwanted];
      await runTool({ program: "tar", debianPackage: "tar", args: extract }, signal);
      await rm(tarball);
    },
    signal,
  });
  return { program: join(folder, bin.node), license: join(folder, "LICENSE") };
}

/** As lockfiles have it. */
function checksumOf(contents: Uint8Array): string {
  return `sha512-${createHash("sha512").update(contents).digest("base64")}`;
}
