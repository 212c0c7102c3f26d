/** Remembers what passed on this machine, so that a release doesn't repeat the checks that take minutes. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { keptBuild } from "@weir/toolchain";

/** The checks of `npm test` that are remembered. */
export const remembered: ReadonlySet<string> = new Set(["lint", "unit"]);

/** Git's name for the content of all files; undefined if they differ from the commit, or there is no git. */
export function cleanTree(root: string): string | undefined {
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-C", root, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  try {
    return git("status", "--porcelain") === "" ? git("rev-parse", "HEAD^{tree}").trim() : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs a check, unless it's one that is remembered and these files have passed it with this Node.js before. Without a name
 * of the files, nothing is remembered. Rejects like `run`.
 */
export async function passOnce(
  name: string,
  tree: string | undefined,
  run: () => Promise<void>,
): Promise<void> {
  if (tree === undefined || !remembered.has(name)) {
    await run();
    return;
  }
  const hash = createHash("sha256").update(`${tree} ${process.version} ${process.arch}`).digest("hex");
  await keptBuild({ name: `passed-${name}`, hash: hash.slice(0, 16), fill: run });
}

/** Remembers that these files have passed a check, if it's one that is remembered. */
export async function notePassed(name: string, tree: string | undefined): Promise<void> {
  await passOnce(name, tree, () => Promise.resolve());
}
