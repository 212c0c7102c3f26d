import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { underLock } from "./build-lock.ts";
import { markUsed, removeOldBuilds } from "./old-builds.ts";

/** Something that takes long to build, and stays the same as long as its sources do. */
export interface Build {
  /** What it is called in the cache, e.g. "controlplane" or "program-helm". */
  readonly name: string;
  /** A hash of all that goes into it. */
  readonly hash: string;
  /** Fills the empty folder. */
  readonly fill: (folder: string) => Promise<void>;
  readonly signal?: AbortSignal;
}

/**
 * The folder with the build, from `$XDG_CACHE_HOME/weir` (by default `~/.cache/weir`) if it's there; otherwise it is
 * built, by one process at a time. Builds that nobody has used for 30 days are removed. Throws what `fill` throws, and
 * then leaves nothing behind.
 */
export async function keptBuild({ name, hash, fill, signal }: Build): Promise<string> {
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "weir");
  const folder = join(cache, `${name}-${hash}`);
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true });
    const fillOnce = async (): Promise<void> => {
      if (!existsSync(folder)) {
        await fillApart(cache, folder, fill);
        await removeOldBuilds(cache, new Date());
      }
    };
    await underLock(`${folder}.lock`, fillOnce, signal);
  }
  await markUsed(folder, new Date());
  return folder;
}

/** Builds in a temporary folder and then renames it, so that the final folder is always complete. */
async function fillApart(cache: string, folder: string, fill: Build["fill"]): Promise<void> {
  const unfinished = await mkdtemp(join(cache, "building-"));
  try {
    await fill(unfinished);
    await rename(unfinished, folder).catch((error: unknown) => {
      // Two processes that found the lock of a dead process may both have built.
      if (!existsSync(folder)) {
        throw error;
      }
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
