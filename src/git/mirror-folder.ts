import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, type GitLimits, Grace, toError } from "@weir/base";
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
import { GitError, RefusedError, SigningError } from "./errors.ts";
import { limitGrowth } from "./growth.ts";
import type { Refs } from "./refs.ts";
import { type Remote, whyRefused } from "./remote.ts";
import type { Git } from "./run.ts";
import type { Signer } from "./signature.ts";
import { printTag, type Tag } from "./tag.ts";
import type { TempFolders } from "./temp-folders.ts";
import { Trees } from "./trees.ts";

/** Same as in Flux v1, so that a search for leftover tags upstream finds them all. */
const writeCheckPrefix = "flux-write-check";

/** How long removing the tag of a write check can take after everything else was aborted, in milliseconds. */
const removalTimeout = 3_000;

/** After this many fetches with changes, check whether the folder needs packing. */
const fetchesBetweenPacking = 50;

/** What to clone, and with which dependencies. */
export interface MirrorFolderOptions {
  readonly remote: Remote;
  readonly folders: TempFolders;
  readonly git: Git;
  readonly limits: GitLimits;
  readonly clock: Clock;
  /** Signs tags; undefined for tags without a signature. */
  readonly signer?: Signer | undefined;
}

/** A bare clone of all refs of upstream, with the refs as last read. */
export class MirrorFolder {
  readonly dir: string;
  /** The content of its commits. */
  readonly trees: Trees;
  readonly #options: MirrorFolderOptions;
  /** The tag of a write check that may still be upstream. */
  #checkTag: string | undefined;
  #refs: Refs = new Map();
  /** True from the moment when something may change refs until they're read again, whatever fails in between. */
  #stale = true;
  #fetches = 0;

  private constructor(dir: string, options: MirrorFolderOptions) {
    this.dir = dir;
    this.#options = options;
    this.trees = new Trees((command, signal) => this.run(command, signal), options.limits);
  }

  /** Clones upstream into a new folder, which is removed if that fails. */
  static async clone(options: MirrorFolderOptions, signal: AbortSignal): Promise<MirrorFolder> {
    const { remote, folders } = options;
    const reason = whyRefused(remote.url);
    if (reason !== undefined) {
      throw new RefusedError(`git URL ${JSON.stringify(remote.safeUrl)} isn't allowed: ${reason}`);
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
   * Fetches what's new upstream. Refs that were deleted there stay, unless `prune` is set or a deleted branch conflicts
   * with a new one (`a` and then `a/b`).
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

  /** Packs the objects of many fetches if it's time for that. */
  async pack(signal: AbortSignal): Promise<void> {
    if (this.#fetches >= fetchesBetweenPacking) {
      this.#fetches = 0;
      await this.run(collectGarbage(), signal);
    }
  }

  /**
   * Checks for write access by creating a tag upstream and removing it. The tag is removed even if everything else is
   * aborted in the meantime; one that couldn't be removed is removed by the next check before it makes another.
   */
  async checkWrite(revision: string, signal: AbortSignal): Promise<void> {
    await this.#removeCheckTag(signal);
    const tag = `${writeCheckPrefix}-${randomBytes(5).toString("hex")}`;
    try {
      await this.run(pushNewTag(tag, revision), signal);
    } catch (error) {
      if (error instanceof GitError && error.failure !== "exit") {
        this.#checkTag = tag;
        await this.#removeCheckTag(signal).catch(() => undefined);
      }
      throw error;
    }
    this.#checkTag = tag;
    await this.#removeCheckTag(signal);
  }

  /** Creates or moves a tag, upstream and then here. Rejects with SigningError if it can't be signed. */
  async moveTag(tag: Tag, at: Date, signal: AbortSignal): Promise<void> {
    const id = await this.run(makeTag(await this.#signed(printTag(tag, at), tag.name), tag.name), signal);
    this.#stale = true;
    await this.run(pushTag(tag.name, id), signal);
    await this.#readRefs(signal);
  }

  remove(): Promise<void> {
    return this.#options.folders.remove(this.dir);
  }

  /** As in git, the signature follows the message. */
  async #signed(text: string, name: string): Promise<string> {
    const { signer } = this.#options;
    if (signer === undefined) {
      return text;
    }
    try {
      return text + (await signer.sign(Buffer.from(text))).replaceAll("\r", "");
    } catch (error) {
      throw new SigningError(`moving tag ${name}`, "error: unable to sign the tag", error);
    }
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

  /** A failed fetch leaves its data behind; with repeated attempts, that would fill the disk. */
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

  /** Has as long as everything else, and a little longer. */
  async #removeCheckTag(signal: AbortSignal): Promise<void> {
    if (this.#checkTag === undefined) {
      return;
    }
    using grace = new Grace(this.#options.clock, removalTimeout, signal);
    try {
      await this.run(deleteTag(this.#checkTag), grace.signal);
    } catch (error) {
      if (!(error instanceof GitError && isNotThere(error))) {
        throw error;
      }
    }
    this.#checkTag = undefined;
  }
}

/** Git's message if a ref that is to be deleted doesn't exist upstream: its push never arrived, or somebody deleted it. */
function isNotThere({ output }: GitError): boolean {
  return output.includes("remote ref does not exist");
}

/** Git's message if a ref that was deleted upstream conflicts with a new one. */
function isConflictOfRefs(error: Error): boolean {
  return (
    error instanceof GitError &&
    /unable to update local ref|some local refs could not be updated/.test(error.output)
  );
}
