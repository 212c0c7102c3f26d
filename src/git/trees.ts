import { Mutex } from "@weir/base";
import { type GitCommand, listTree } from "./commands.ts";
import { GitError, OversizedCommitError } from "./errors.ts";
import { changedPaths, type ListedFile, type TreeFault, type TreeLimits } from "./tree.ts";
import { TreeListing } from "./tree-listing.ts";

/** The files of a commit, and their total size. */
export interface Tree {
  readonly entries: readonly ListedFile[];
  readonly content: number;
}

/** Runs git in the repository with the commits. */
export type RunGit = <T>(command: GitCommand<T>, signal: AbortSignal) => Promise<T>;

/** The number of commits whose verdict is remembered. */
const rememberedVerdicts = 64;
/** The number of commits whose files are remembered: the current one and the previous one, which are compared. */
const rememberedTrees = 2;

/**
 * Checks the content of commits before anything is created from it, once for each commit. A few objects in git can
 * stand for millions of files, or for one that fills the disk.
 */
export class Trees {
  readonly #run: RunGit;
  readonly #limits: TreeLimits;
  readonly #looking = new Mutex();
  readonly #sizes = new Map<string, number>();
  readonly #refused = new Map<string, OversizedCommitError>();
  readonly #trees = new Map<string, Tree>();

  constructor(run: RunGit, limits: TreeLimits) {
    this.#run = run;
    this.#limits = limits;
  }

  /** All files of a commit. Rejects with OversizedCommitError, and with GitError if there's no such commit. */
  async entries(revision: string, signal: AbortSignal): Promise<readonly ListedFile[]> {
    const { entries } = await this.#looking.run(() => this.#look(revision, signal), signal);
    return entries;
  }

  /** The total size of a commit's files, in bytes. Rejects like `entries`. */
  async size(revision: string, signal: AbortSignal): Promise<number> {
    return await this.#looking.run(
      async () => this.#sizes.get(revision) ?? (await this.#look(revision, signal)).content,
      signal,
    );
  }

  /** The paths of files that differ between two commits. Rejects like `entries`. */
  async changedPaths(before: string, after: string, signal: AbortSignal): Promise<readonly string[]> {
    return await this.#looking.run(async () => {
      const then = await this.#look(before, signal);
      return changedPaths(then.entries, (await this.#look(after, signal)).entries);
    }, signal);
  }

  /** Throws the OversizedCommitError of a commit that was refused before. */
  throwIfRefused(revision: string): void {
    const refused = this.#refused.get(revision);
    if (refused !== undefined) {
      throw refused;
    }
  }

  async #look(revision: string, signal: AbortSignal): Promise<Tree> {
    this.throwIfRefused(revision);
    const tree = this.#trees.get(revision) ?? (await this.#examine(revision, signal));
    if (isHash(revision)) {
      remember(this.#trees, revision, tree, rememberedTrees);
      remember(this.#sizes, revision, tree.content, rememberedVerdicts);
    }
    return tree;
  }

  async #examine(revision: string, signal: AbortSignal): Promise<Tree> {
    const listing = new TreeListing(this.#limits);
    const fault = await this.#list(revision, listing, signal);
    if (fault === undefined) {
      return { entries: listing.entries(), content: listing.content };
    }
    const error = new OversizedCommitError(revision, fault, this.#limits);
    if (isHash(revision)) {
      remember(this.#refused, revision, error, rememberedVerdicts);
    }
    throw error;
  }

  async #list(revision: string, listing: TreeListing, signal: AbortSignal): Promise<TreeFault | undefined> {
    try {
      await this.#run(listTree(revision, listing), signal);
      return listing.fault;
    } catch (error) {
      if (error instanceof GitError && error.failure === "flood") {
        return listing.fault ?? { kind: "listing" };
      }
      throw error;
    }
  }
}

/** Any other name may stand for another commit later. */
function isHash(revision: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(revision);
}

/** Remembers up to `most` values: those that were used last. */
function remember<T>(values: Map<string, T>, revision: string, value: T, most: number): void {
  values.delete(revision);
  values.set(revision, value);
  for (const oldest of [...values.keys()].slice(0, -most)) {
    values.delete(oldest);
  }
}
