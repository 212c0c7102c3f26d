/**
 * Finds the newest commit that may be applied if commits must be signed. Takes the head of the branch and the sync
 * marker, and returns the last commit before the first one without a good signature. Like Flux v1's
 * latestValidRevision, step by step: what marks the last synced commit must be signed too, and commits are checked in
 * git's order, from the oldest to the newest.
 */
import { UnverifiedError } from "@weir/flux";
import { unsignedHeadError } from "../errors.ts";
import type { Repo, VerifyMode } from "../ports.ts";
import type { HeadVerdict } from "./head-verdict.ts";
import type { SyncState } from "./state.ts";

/** Verifies a branch again and again, and only what's new. */
export class HeadVerifier {
  readonly #options: HeadVerifierOptions;
  /** The commits of the last range, which stay the same for the same two hashes. */
  #listed = { from: "", to: "", oldestFirst: [] as readonly string[] };

  constructor(options: HeadVerifierOptions) {
    this.#options = options;
  }

  /** Verifies the head of the branch. Rejects like `verify`. */
  async verifyHead(signal: AbortSignal): Promise<HeadVerdict> {
    return await this.verify(await this.#options.repo.branchHead(signal), signal);
  }

  /**
   * Verifies the commits from the sync marker, or from the beginning if there's none, up to `head`. Rejects with
   * UnverifiedError if the marker itself isn't signed properly.
   */
  async verify(head: string, signal: AbortSignal): Promise<HeadVerdict> {
    const { repo, syncState } = this.#options;
    const marker = await syncState.revision(signal);
    if (marker !== "") {
      await this.#requireSigned(marker, signal);
    }
    let verified = marker;
    for await (const commit of repo.verify(await this.#commits(marker, head, signal), signal)) {
      if (commit.status !== "G") {
        return { head, verified, bad: commit };
      }
      verified = commit.revision;
    }
    return { head, verified: head };
  }

  /** Rejects with a FluxError unless `head` is verified, and like `verify`. */
  async require(head: string, signal: AbortSignal): Promise<void> {
    const verdict = await this.verify(head, signal);
    if (verdict.verified !== head) {
      throw unsignedHeadError(verdict);
    }
  }

  /** As in Flux v1, an untrusted OpenPGP key is enough for the commit that was synced last. */
  async #requireSigned(marker: string, signal: AbortSignal): Promise<void> {
    for await (const commit of this.#options.repo.verify([marker], signal)) {
      if (!commit.accepted) {
        throw new UnverifiedError(
          `failed to verify signature of last sync'ed revision: failed to verify commit ${marker}`,
          commit,
        );
      }
    }
  }

  async #commits(from: string, to: string, signal: AbortSignal): Promise<readonly string[]> {
    if (from === to) {
      return [];
    }
    if (this.#listed.from !== from || this.#listed.to !== to) {
      const firstParent = this.#options.mode === "first-parent";
      const newestFirst = await this.#options.repo.hashes({ from, to, firstParent }, signal);
      this.#listed = { from, to, oldestFirst: newestFirst.toReversed() };
    }
    return this.#listed.oldestFirst;
  }
}

export interface HeadVerifierOptions {
  readonly repo: Pick<Repo, "branchHead" | "hashes" | "verify">;
  readonly syncState: Pick<SyncState, "revision">;
  readonly mode: Exclude<VerifyMode, "none">;
}
