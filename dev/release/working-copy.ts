import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** What was installed, and isn't in git. */
const installed = ["node_modules", "scripts/pinned-node/node_modules"];

/**
 * Makes a clone of the commit, with the packages that are installed in the original: what lies about in a working tree,
 * and git ignores, can't get into a release. The copy must be on the same file system.
 */
export async function copyCommit(options: {
  readonly root: string;
  readonly commit: string;
  readonly copy: string;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { root, commit, copy, signal } = options;
  const run = (program: string, ...args: readonly string[]): Promise<unknown> =>
    promisify(execFile)(program, args, { signal });
  await run("git", "clone", "--quiet", "--shared", "--no-checkout", root, copy);
  await run("git", "-C", copy, "-c", "advice.detachedHead=false", "checkout", "--quiet", commit);
  for (const folder of installed.filter((each) => existsSync(join(root, each)))) {
    await mkdir(dirname(join(copy, folder)), { recursive: true });
    // Hard links, because there are thousands of files. The links to our own packages are relative, so those of the
    // copy lead to the copy.
    await run("cp", "--archive", "--link", join(root, folder), join(copy, folder));
  }
}
