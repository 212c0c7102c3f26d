/**
 * Verifies the signatures of commits and tags, and remembers each verdict. Reads many objects with one process, and
 * ignores refs/replace/*, so that what's verified is what's checked out.
 */
import type { Clock } from "@weir/base";
import { readObjects } from "./commands.ts";
import { type GitObject, parseObjects } from "./object-batch.ts";
import type { SignatureVerifier, SignedData, Verdict } from "./signature.ts";
import { authorOf, splitCommit, splitTag } from "./signed-object.ts";
import type { RunGit } from "./trees.ts";

/** A commit, whose it is, and the verdict on its signature. */
export interface VerifiedCommit extends Verdict {
  readonly revision: string;
  /** "Name <email>"; "" if there's no such commit. */
  readonly author: string;
}

/** How many commits to read with one process. */
const batchSize = 500;

/** How many signatures to verify at the same time. */
const concurrency = 16;

/** How many verdicts to remember; each takes a few hundred bytes. */
const most = 20_000;

/** How long to remember a verdict, in milliseconds: a key may expire in the meantime. */
const longest = 3_600_000;

interface Remembered<T> {
  readonly verdict: T;
  readonly since: number;
}

/** Verifies commits and tags of one repository. */
export class Verdicts {
  readonly #options: VerdictsOptions;
  readonly #remembered = new Map<string, Remembered<VerifiedCommit>>();
  #tag: (Remembered<Verdict> & { readonly id: string }) | undefined;

  constructor(options: VerdictsOptions) {
    this.#options = options;
  }

  /** The verdict on each commit, in the given order, which can be abandoned early. Rejects with GitError. */
  async *commits(
    revisions: readonly string[],
    run: RunGit,
    signal: AbortSignal,
  ): AsyncGenerator<VerifiedCommit, void, undefined> {
    await this.#reload(signal);
    for (let start = 0; start < revisions.length; start += batchSize) {
      const batch = revisions.slice(start, start + batchSize).map((revision) => ({
        revision,
        known: this.#recall(revision),
      }));
      const unknown = batch.flatMap(({ revision, known }) => (known === undefined ? [revision] : []));
      const objects = await this.#read(unknown, run, signal);
      for (let first = 0; first < batch.length; first += concurrency) {
        signal.throwIfAborted();
        const group = batch.slice(first, first + concurrency);
        yield* await Promise.all(
          group.map(async ({ revision, known }) => known ?? this.#commit(revision, objects.get(revision))),
        );
      }
    }
  }

  /** The verdict on an annotated tag; undefined if the object isn't one. Rejects with GitError. */
  async tag(id: string, run: RunGit, signal: AbortSignal): Promise<Verdict | undefined> {
    await this.#reload(signal);
    if (this.#tag?.id === id && this.#isFresh(this.#tag)) {
      return this.#tag.verdict;
    }
    const object = (await this.#read([id], run, signal)).get(id);
    if (object?.type !== "tag") {
      return undefined;
    }
    const verdict = await this.#verify(splitTag(object.content));
    this.#tag = { id, verdict, since: this.#options.clock.now() };
    return verdict;
  }

  async #reload(signal: AbortSignal): Promise<void> {
    if ((await this.#options.verifier.reload?.(signal)) === true) {
      this.#remembered.clear();
      this.#tag = undefined;
    }
  }

  async #commit(revision: string, object: GitObject | undefined): Promise<VerifiedCommit> {
    if (object?.type !== "commit") {
      return {
        revision,
        author: "",
        status: "E",
        key: "",
        reason: "there's no such commit",
        accepted: false,
      };
    }
    const verdict = await this.#verify(splitCommit(object.content, revision));
    const verified = { ...verdict, revision, author: authorOf(object.content) };
    this.#remember(verified);
    return verified;
  }

  async #verify(signed: SignedData | undefined): Promise<Verdict> {
    return signed === undefined
      ? { status: "N", key: "", reason: "it isn't signed", accepted: false }
      : await this.#options.verifier.verify(signed);
  }

  async #read(
    names: readonly string[],
    run: RunGit,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, GitObject>> {
    if (names.length === 0) {
      return new Map();
    }
    const output: Buffer[] = [];
    await run(
      readObjects(names, (bytes) => void output.push(bytes)),
      signal,
    );
    const objects = parseObjects(Buffer.concat(output));
    return new Map(objects.flatMap((object) => (object === undefined ? [] : [[object.id, object]])));
  }

  #recall(revision: string): VerifiedCommit | undefined {
    const known = this.#remembered.get(revision);
    return known !== undefined && this.#isFresh(known) ? known.verdict : undefined;
  }

  #remember(verdict: VerifiedCommit): void {
    this.#remembered.delete(verdict.revision);
    this.#remembered.set(verdict.revision, { verdict, since: this.#options.clock.now() });
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > most && oldest !== undefined) {
      this.#remembered.delete(oldest);
    }
  }

  #isFresh({ since }: Remembered<unknown>): boolean {
    return this.#options.clock.now() - since < longest;
  }
}

export interface VerdictsOptions {
  readonly verifier: SignatureVerifier;
  readonly clock: Clock;
}
