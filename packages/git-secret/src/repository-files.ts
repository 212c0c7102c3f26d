import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isMissing } from "@weir/base";
import { isInside } from "@weir/base/node";
import { GitSecretError } from "./errors.ts";

/** As on Linux: more links than this are a loop. */
const mostLinks = 40;

/** What a place is for. */
export interface Purpose {
  /** The name in the mapping, for messages. */
  readonly name: string;
  readonly doing: "read" | "write";
}

/**
 * The place that a path stands for after following links, even if there's nothing yet; `root` must be without links.
 * Rejects with GitSecretError if it's outside the repository or in git's own folder: the mapping comes from the
 * repository, and so from anybody who can push.
 */
export async function placeInside(root: string, path: string, purpose: Purpose): Promise<string> {
  const place = await followLinks(path, mostLinks);
  if (place === undefined || !isInside(place, root)) {
    throw new GitSecretError(refusal(purpose, "it leads out of the repository"));
  }
  const parts = relative(root, place).split("/");
  if (parts.some((part) => part.toLowerCase() === ".git")) {
    throw new GitSecretError(refusal(purpose, "it's in git's own folder"));
  }
  return place;
}

function refusal({ name, doing }: Purpose, reason: string): string {
  return `git-secret: abort: refusing to ${doing} file ${JSON.stringify(name)}: ${reason}`;
}

/** Undefined for too many links. */
async function followLinks(path: string, links: number): Promise<string | undefined> {
  const folder = await realFolder(dirname(path));
  const place = join(folder, basename(path));
  const target = await linkTarget(place);
  if (target === undefined) {
    return place;
  }
  return links === 0 ? undefined : await followLinks(resolve(folder, target), links - 1);
}

/** A folder that doesn't exist is only checked: nothing can be read or written there. */
async function realFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (isMissing(error)) {
      return resolve(folder);
    }
    throw error;
  }
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
}
