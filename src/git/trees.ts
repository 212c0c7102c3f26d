import { Mutex } from "../base/mutex.ts";
import { type GitCommand, listTree } from "./commands.ts";
import { GitError, OversizedCommitError } from "./errors.ts";
import type { TreeEntry, TreeFault, TreeLimits } from "./tree.ts";
import { TreeListing } from "./tree-listing.ts";

/** The files of a commit, and the size of their content together. */
export interface Tree {
  readonly entries: readonly TreeEntry[];
  readonly content: number;
}

/** Runs git where the commits are. */
export type RunGit = <T>(command: GitCommand<T>, signal: AbortSignal) => Promise<T>;

/** Verdicts that are remembered. */
const remembered = 64;

/**
 * Looks at what commits hold before anything is made of them, once for each commit: a few objects in git can stand
 * for millions of files, or for one that fills the disk.
 */
export class Trees {
  readonly #run: RunGit;
  readonly #limits: TreeLimits;
  readonly #looking = new Mutex();
  readonly #sizes = new Map<string, number>();
  readonly #refused = new Map<string, OversizedCommitError>();
  #last: (Tree & { readonly revision: string }) | undefined;

  constructor(run: RunGit, limits: TreeLimits) {
    this.#run = run;
    this.#limits = limits;
  }

  /** All files of a commit. Rejects with OversizedCommitError, and with GitError where there is no such commit. */
  async entries(revision: string, signal: AbortSignal): Promise<readonly TreeEntry[]> {
    const { entries } = await this.#looking.run(() => this.#look(revision, signal), signal);
    return entries;
  }

  /** How many bytes the files of a commit take. Rejects likewise. */
  async size(revision: string, signal: AbortSignal): Promise<number> {
    return await this.#looking.run(
      async () => this.#sizes.get(revision) ?? (await this.#look(revision, signal)).content,
      signal,
    );
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
    if (this.#last?.revision !== revision) {
      const tree = await this.#examine(revision, signal);
      if (!isHash(revision)) {
        return tree;
      }
      this.#last = { ...tree, revision };
      remember(this.#sizes, revision, tree.content);
    }
    return this.#last;
  }

  async #examine(revision: string, signal: AbortSignal): Promise<Tree> {
    const listing = new TreeListing(this.#limits);
    const fault = await this.#list(revision, listing, signal);
    if (fault === undefined) {
      return { entries: listing.entries(), content: listing.content };
    }
    const error = new OversizedCommitError(revision, fault, this.#limits);
    if (isHash(revision)) {
      remember(this.#refused, revision, error);
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

/** What any other name stands for may change. */
function isHash(revision: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(revision);
}

function remember<T>(verdicts: Map<string, T>, revision: string, verdict: T): void {
  verdicts.delete(revision);
  verdicts.set(revision, verdict);
  for (const oldest of [...verdicts.keys()].slice(0, -remembered)) {
    verdicts.delete(oldest);
  }
}
