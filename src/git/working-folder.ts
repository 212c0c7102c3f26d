/**
 * Copies what a person has in a folder, or what a commit has in its place, so that it can be read, and generators can
 * write to it, without touching the folder or its repository.
 */
import { constants } from "node:fs";
import { copyFile, cp, lstat, mkdir, readlink, realpath, stat, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type Environment, gitLimits, isMissing, systemClock } from "@weir/base";
import { checkOut, commitOf, commonDir, createEmpty, listWorkingFiles } from "./commands.ts";
import { gitEnvironment } from "./environment.ts";
import { createGit, type Git } from "./run.ts";

/** A folder, and the environment of the person who works in it. */
export interface WorkingFolderOptions {
  readonly dir: string;
  readonly env: Environment;
}

/** A folder that somebody works in: a clone, a part of one, or just files. */
export class WorkingFolder {
  /** An absolute path without links. */
  readonly dir: string;
  /** The top of the clone; undefined if the folder isn't in one. */
  readonly #top: string | undefined;
  readonly #git: Git;

  private constructor(dir: string, top: string | undefined, git: Git) {
    this.dir = dir;
    this.#top = top;
    this.#git = git;
  }

  /** Finds the folder, and the clone that it's in. Rejects if there's no such folder. */
  static async open({ dir, env }: WorkingFolderOptions): Promise<WorkingFolder> {
    const real = await realpath(dir);
    const environment = gitEnvironment(env);
    const settings = { environment, url: real, limits: gitLimits, clock: systemClock };
    return new WorkingFolder(real, await topOf(real), createGit({ ...settings, redact: (text) => text }));
  }

  /**
   * Copies the files as they are now into an empty folder: those that git tracks, and new ones that it doesn't ignore;
   * all files if the folder isn't in a clone. Links are copied as links. Rejects with GitError.
   */
  async copyTo(to: string, signal: AbortSignal): Promise<void> {
    if (this.#top === undefined) {
      await cp(this.dir, to, { recursive: true, verbatimSymlinks: true, filter: isOwnFile });
      return;
    }
    const below = relative(this.#top, this.dir);
    for (const path of new Set(await this.#git.run(listWorkingFiles(below), this.#top, signal))) {
      signal.throwIfAborted();
      await copyEntry(join(this.#top, path), join(to, relative(below, path)));
    }
  }

  /** The commit that a name stands for; undefined if there's none. Rejects with GitError if git can't be run. */
  async commit(name: string, signal: AbortSignal): Promise<string | undefined> {
    return this.#top === undefined ? undefined : await this.#git.run(commitOf(name), this.#top, signal);
  }

  /**
   * Writes the files of a commit into an empty folder. Resolves to the folder that has this one's place in it, which
   * doesn't exist if the commit doesn't have it. The clone isn't changed. Rejects with GitError.
   */
  async exportTo(to: string, commit: string, signal: AbortSignal): Promise<string> {
    const top = this.#top ?? this.dir;
    const common = await this.#git.run(commonDir(), top, signal);
    await this.#git.run(createEmpty(), to, signal);
    const borrowed = join(await realpath(resolve(top, common)), "objects");
    await mkdir(join(to, ".git", "objects", "info"), { recursive: true });
    await writeFile(join(to, ".git", "objects", "info", "alternates"), `${borrowed}\n`);
    await this.#git.run(checkOut(commit), to, signal);
    return join(to, relative(top, this.dir));
  }
}

/** The closest folder around `dir` that has a `.git`, which is a file in worktrees and submodules. */
async function topOf(dir: string): Promise<string | undefined> {
  for (let folder = dir; ; folder = dirname(folder)) {
    if (await exists(join(folder, ".git"))) {
      return folder;
    }
    if (folder === dirname(folder)) {
      return undefined;
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function isOwnFile(path: string): boolean {
  return basename(path) !== ".git";
}

/** A tracked file can have been deleted, and a submodule is a folder. */
async function copyEntry(from: string, to: string): Promise<void> {
  const found = await lstat(from).catch((error: unknown) => {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  });
  if (found === undefined || !(found.isFile() || found.isSymbolicLink())) {
    return;
  }
  await mkdir(dirname(to), { recursive: true });
  await (found.isSymbolicLink()
    ? symlink(await readlink(from), to)
    : copyFile(from, to, constants.COPYFILE_FICLONE));
}
