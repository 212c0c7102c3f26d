import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "@weir/base";
import { checkOutPaths, listFiles } from "./commands.ts";
import type { Git } from "./run.ts";
import type { TreeEntry } from "./tree.ts";

/** A clone with files that were decrypted into it. */
export interface RevealedClone {
  readonly dir: string;
  readonly revealed: readonly TreeEntry[];
  readonly git: Git;
}

/** What was in the way of leaving decrypted files out of a commit, as paths. */
export interface Concealed {
  /** Files that were changed after they had been decrypted. */
  readonly changed: readonly string[];
  /** Files that git has too, without encryption. */
  readonly tracked: readonly string[];
}

/**
 * Takes decrypted files out of a clone, so that they can't get into its next commit: those that git has become what
 * they were, and the others are deleted.
 */
export async function conceal(
  { dir, revealed, git }: RevealedClone,
  signal: AbortSignal,
): Promise<Concealed> {
  if (revealed.length === 0) {
    return { changed: [], tracked: [] };
  }
  const changed = await changedFiles(dir, revealed);
  const files = new Set(await git.run(listFiles(), dir, signal));
  const tracked = revealed.map(({ path }) => path).filter((path) => files.has(path));
  await Promise.all(revealed.map(({ path }) => rm(join(dir, path), { recursive: true, force: true })));
  if (tracked.length > 0) {
    await git.run(checkOutPaths("HEAD", tracked), dir, signal);
  }
  return { changed, tracked };
}

async function changedFiles(dir: string, revealed: readonly TreeEntry[]): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const { path, id } of revealed) {
    if ((await idOf(join(dir, path))) !== id) {
      changed.push(path);
    }
  }
  return changed;
}

/** Git's ID for the content of a file; undefined if there's none. */
async function idOf(path: string): Promise<string | undefined> {
  try {
    const content = await readFile(path);
    return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
}
