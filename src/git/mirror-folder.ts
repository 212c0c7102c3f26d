import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, Deadline, type GitLimits, toError } from "@weir/base";
import {
  cloneMirror,
  collectGarbage,
  deleteTag,
  fetchMirror,
  type GitCommand,
  listRefs,
  makeTag,
  pushNewTag,
  pushTag,
} from "./commands.ts";
import { GitError, RefusedError } from "./errors.ts";
import { limitGrowth } from "./growth.ts";
import type { Refs } from "./refs.ts";
import { type Remote, whyRefused } from "./remote.ts";
import type { Git } from "./run.ts";
import { printTag, type Tag } from "./tag.ts";
import type { TempFolders } from "./temp-folders.ts";
import { Trees } from "./trees.ts";

/** As Flux v1's, so that whoever cleans an upstream of forgotten ones finds them all. */
const writeCheckPrefix = "flux-write-check";

/** How long it may take to remove the tag of a write check after all else was given up, in milliseconds. */
const removalTimeout = 3_000;

/** After how many fetches that brought something it is looked whether the folder needs packing. */
const fetchesBetweenPacking = 50;

/** What is cloned, and what is worked with. */
export interface MirrorFolderOptions {
  readonly remote: Remote;
  readonly folders: TempFolders;
  readonly git: Git;
  readonly limits: GitLimits;
  readonly clock: Clock;
}

/** A bare clone of all refs of upstream, with the refs as they were read last. */
export class MirrorFolder {
  readonly dir: string;
  /** What its commits hold. */
  readonly trees: Trees;
  readonly #options: MirrorFolderOptions;
  #refs: Refs = new Map();
  /** True from the moment something may change refs until they were read again, whatever fails in between. */
  #stale = true;
  #fetches = 0;

  private constructor(dir: string, options: MirrorFolderOptions) {
    this.dir = dir;
    this.#options = options;
    this.trees = new Trees((command, signal) => this.run(command, signal), options.limits);
  }

  /** Clones upstream into a new folder, which is gone again where that fails. */
  static async clone(options: MirrorFolderOptions, signal: AbortSignal): Promise<MirrorFolder> {
    const { remote, folders } = options;
    const reason = whyRefused(remote.url);
    if (reason !== undefined) {
      throw new RefusedError(`git URL ${JSON.stringify(remote.safeUrl)} is refused: ${reason}`);
    }
    const folder = new MirrorFolder(await folders.make("flux-gitclone"), options);
    try {
      await folder.#limited("git clone --mirror", signal, (limited) =>
        folder.run(cloneMirror(remote.url, folder.dir), limited),
      );
      await folder.#readRefs(signal);
      return folder;
    } catch (error) {
      await folder.remove();
      throw error;
    }
  }

  get refs(): Refs {
    return this.#refs;
  }

  /** Runs git in the folder. */
  run<T>(command: GitCommand<T>, signal: AbortSignal): Promise<T> {
    return this.#options.git.run(command, this.dir, signal);
  }

  /**
   * Brings what is new upstream. What is gone there stays, unless `prune` is asked for or a branch that is
   * gone stands in the way of a new one (`a` and then `a/b`).
   */
  async fetch(signal: AbortSignal, { prune }: { readonly prune: boolean }): Promise<void> {
    const wasStale = this.#stale;
    this.#stale = true;
    if ((await this.#fetch(signal, prune)) || wasStale) {
      this.#fetches += 1;
      await this.#readRefs(signal);
    }
    this.#stale = false;
  }

  /** Packs what many fetches left, where it is time for that. */
  async pack(signal: AbortSignal): Promise<void> {
    if (this.#fetches >= fetchesBetweenPacking) {
      this.#fetches = 0;
      await this.run(collectGarbage(), signal);
    }
  }

  /**
   * Makes sure that upstream can be written to, by a tag that is made there and removed again; removed also
   * where all else is given up meanwhile.
   */
  async checkWrite(revision: string, signal: AbortSignal): Promise<void> {
    const tag = `${writeCheckPrefix}-${randomBytes(5).toString("hex")}`;
    try {
      await this.run(pushNewTag(tag, revision), signal);
    } catch (error) {
      if (error instanceof GitError && error.failure !== "exit") {
        await this.#removeTag(tag).catch(() => undefined);
      }
      throw error;
    }
    await this.#removeTag(tag);
  }

  /** Makes a tag, or moves it, upstream and then here. */
  async moveTag(tag: Tag, at: Date, signal: AbortSignal): Promise<void> {
    const id = await this.run(makeTag(printTag(tag, at), tag.name), signal);
    this.#stale = true;
    await this.run(pushTag(tag.name, id), signal);
    await this.#readRefs(signal);
  }

  remove(): Promise<void> {
    return this.#options.folders.remove(this.dir);
  }

  async #fetch(signal: AbortSignal, prune: boolean): Promise<boolean> {
    try {
      return await this.#fetchOnce(signal, prune);
    } catch (error) {
      if (prune || !isConflictOfRefs(toError(error))) {
        throw error;
      }
      return this.#fetchOnce(signal, true);
    }
  }

  async #fetchOnce(signal: AbortSignal, prune: boolean): Promise<boolean> {
    try {
      return await this.#limited("git fetch", signal, (limited) => this.run(fetchMirror(prune), limited));
    } catch (error) {
      await this.#sweep();
      throw error;
    }
  }

  #limited<T>(doing: string, signal: AbortSignal, fetch: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return limitGrowth({ dir: this.dir, most: this.#options.limits.fetched, doing }, signal, fetch);
  }

  /** A fetch that fails leaves what has come so far; were it tried again and again, that would fill the disk. */
  async #sweep(): Promise<void> {
    const packs = join(this.dir, "objects", "pack");
    const names = await readdir(packs).catch(() => []);
    const halves = names.filter((name) => /^tmp_(pack|idx|rev)_/.test(name));
    await Promise.all(halves.map((name) => rm(join(packs, name), { force: true }).catch(() => undefined)));
  }

  async #readRefs(signal: AbortSignal): Promise<void> {
    this.#refs = await this.run(listRefs(), signal);
    this.#stale = false;
  }

  async #removeTag(tag: string): Promise<void> {
    using limit = new Deadline(this.#options.clock, removalTimeout);
    await this.run(deleteTag(tag), limit.signal);
  }
}

/** Git's own words where a ref that is gone upstream is in the way. */
function isConflictOfRefs(error: Error): boolean {
  return (
    error instanceof GitError &&
    /unable to update local ref|some local refs could not be updated/.test(error.output)
  );
}
