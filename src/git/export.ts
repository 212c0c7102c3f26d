import { access, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkOut, checkOutPaths, cloneShared } from "./commands.ts";
import { OversizedCommitError } from "./errors.ts";
import type { MirrorFolder } from "./mirror-folder.ts";
import { type Reveal, revealInto } from "./reveal.ts";
import type { Git } from "./run.ts";
import type { TempFolders } from "./temp-folders.ts";
import type { TreeEntry } from "./tree.ts";

/** The files of one revision in a folder, removed when it's disposed. */
export interface Export extends AsyncDisposable {
  /** The absolute path of the files. The folder is a clone, so git commands work in it. */
  readonly dir: string;
  readonly revision: string;
  /** Files that were decrypted and that the revision doesn't have, or has with other content. */
  readonly revealed: readonly TreeEntry[];
}

/** How an export will be used. */
export interface ExportOptions {
  /**
   * True if generators will write to the folder. It's then created from scratch and removed afterwards;
   * otherwise, the next export reuses it.
   */
  readonly writable?: boolean;
}

/** More changes than this are written with a full checkout, which doesn't look up each path. */
const mostPaths = 200;

/** A folder that isn't in use. */
interface Idle {
  readonly dir: string;
  readonly revision: string;
}

/** Makes exports of one mirror, and keeps a read-only folder for the next one, unless files were decrypted into it. */
export class Exports {
  readonly #mirror: MirrorFolder;
  readonly #folders: TempFolders;
  readonly #git: Git;
  readonly #reveal: Reveal | undefined;
  #idle: Idle | undefined;
  #isClosed = false;

  constructor(mirror: MirrorFolder, { folders, git, reveal }: ExportDependencies) {
    this.#mirror = mirror;
    this.#folders = folders;
    this.#git = git;
    this.#reveal = reveal;
  }

  /**
   * Exports the files of a revision. Rejects with GitError if there's no such commit, with OversizedCommitError or
   * NoSpaceError if it can't be checked out, and with RevealError if a file can't be decrypted.
   */
  async take(revision: string, { writable = false }: ExportOptions, signal: AbortSignal): Promise<Export> {
    this.#mirror.trees.throwIfRefused(revision);
    const isShared = !writable && this.#reveal === undefined;
    const idle = isShared ? this.#takeIdle() : undefined;
    const dir = (idle && (await this.#goOn(idle, revision, signal))) ?? (await this.#begin(revision, signal));
    const dispose = (): Promise<void> =>
      isShared ? this.#giveBack({ dir, revision }) : this.#folders.remove(dir);
    const revealed = await revealInto(dir, this.#reveal, signal).catch(async (error: unknown) => {
      await dispose();
      throw error;
    });
    return { dir, revision, revealed, [Symbol.asyncDispose]: once(dispose) };
  }

  /** Removes the folder that's kept. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const idle = this.#takeIdle();
    if (idle) {
      await this.#folders.remove(idle.dir);
    }
  }

  #takeIdle(): Idle | undefined {
    const idle = this.#idle;
    this.#idle = undefined;
    return idle;
  }

  async #giveBack(idle: Idle): Promise<void> {
    if (this.#idle || this.#isClosed) {
      await this.#folders.remove(idle.dir);
    } else {
      this.#idle = idle;
    }
  }

  async #begin(revision: string, signal: AbortSignal): Promise<string> {
    const looking = this.#look(revision, signal);
    const dir = await this.#folders.make("flux-working");
    try {
      await this.#mirror.run(cloneShared({ mirrorDir: this.#mirror.dir, dir }), signal);
      await this.#folders.requireSpace(await looking, `the files of commit ${revision}`);
      await this.#git.run(checkOut(revision), dir, signal);
      return dir;
    } catch (error) {
      await this.#folders.remove(dir);
      throw error;
    }
  }

  /** Writes only what differs; undefined if that fails, because the folder can then be in any state. */
  async #goOn(
    { dir, revision: before }: Idle,
    revision: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    try {
      if (before === revision) {
        await access(dir);
        return dir;
      }
      await this.#advance(dir, before, revision, signal);
      return dir;
    } catch (error) {
      if (error instanceof OversizedCommitError) {
        // Nothing was written.
        await this.#giveBack({ dir, revision: before });
        throw error;
      }
      await this.#folders.remove(dir);
      if (signal.aborted) {
        throw error;
      }
      return undefined;
    }
  }

  /**
   * Determines the size of a commit before anything is written. The caller awaits this later, so a rejection must not
   * count as unhandled until then.
   */
  #look(revision: string, signal: AbortSignal): Promise<number> {
    const looking = this.#mirror.trees.size(revision, signal);
    looking.catch(() => undefined);
    return looking;
  }

  async #advance(dir: string, before: string, revision: string, signal: AbortSignal): Promise<void> {
    const paths = await this.#mirror.trees.changedPaths(before, revision, signal);
    // A name that isn't valid UTF-8 can't be passed to git as text.
    if (paths.length > mostPaths || paths.some((path) => path.includes("\\x"))) {
      await this.#git.run(checkOut(revision), dir, signal);
      return;
    }
    if (paths.length > 0) {
      await this.#git.run(checkOutPaths(revision, paths), dir, signal);
    }
    await writeFile(join(dir, ".git", "HEAD"), `${revision}\n`);
  }
}

export interface ExportDependencies {
  readonly folders: TempFolders;
  readonly git: Git;
  /** Decrypts files; undefined for none. */
  readonly reveal?: Reveal | undefined;
}

function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= act());
}
