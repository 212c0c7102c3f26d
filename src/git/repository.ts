/** Access to the git repository in one place: the mirror, what it contains, and working clones. */

import { type GitLimits, gitLimits, invariant, type Unsubscribe } from "@weir/base";
import type { ChangeLogQuery, LoggedCommit } from "@weir/flux";
import { Checkout, type CheckoutSettings } from "./checkout.ts";
import type { LineRange } from "./commands.ts";
import type { Commit, CommitDetails } from "./commit.ts";
import type { GitEnvironment } from "./environment.ts";
import type { Export, ExportOptions } from "./export.ts";
import type { HashQuery } from "./history.ts";
import { Mirror, type MirrorOptions } from "./mirror.ts";
import { isEquivalent, remoteOf } from "./remote.ts";
import { createGit } from "./run.ts";
import type { SignatureVerifier } from "./signature.ts";
import type { MirrorStatus } from "./status.ts";
import { SyncTag } from "./sync-tag.ts";
import { TempFolders } from "./temp-folders.ts";
import type { ListedFile } from "./tree.ts";
import { Verdicts, type VerifiedCommit } from "./verdicts.ts";

/** Which repository, and how to work with it. Times are in milliseconds. */
export interface RepositoryOptions
  extends CheckoutSettings,
    Pick<MirrorOptions, "readonly" | "pollInterval" | "timeout" | "clock" | "logger" | "reveal" | "onFetch"> {
  readonly url: string;
  /** The parent of all working folders. */
  readonly tempDir: string;
  /** The result of gitEnvironment for the program's own environment. */
  readonly environment: GitEnvironment;
  /** Limits that differ from the defaults. */
  readonly limits?: GitLimits;
  /** Verifies commits and the sync tag; undefined to verify nothing. */
  readonly verifier?: SignatureVerifier | undefined;
}

/** A mirror that's kept up to date between `start` and `stop`, and its clones. */
export class Repository {
  readonly #options: RepositoryOptions;
  readonly #mirror: Mirror;
  readonly #verdicts: Verdicts | undefined;

  private constructor(options: RepositoryOptions, mirror: Mirror) {
    this.#options = options;
    this.#mirror = mirror;
    const { verifier, clock } = options;
    this.#verdicts = verifier && new Verdicts({ verifier, clock });
  }

  /** Registers as the owner of its folders below `tempDir`, and removes the folders of earlier processes. */
  static async open(options: RepositoryOptions): Promise<Repository> {
    const remote = remoteOf(options.url);
    const { url, environment, limits = gitLimits, clock } = options;
    const git = createGit({ environment, url, limits, clock, redact: remote.redact });
    const folders = await TempFolders.open(options.tempDir, options.logger);
    return new Repository(options, new Mirror({ ...options, remote, git, folders, limits }));
  }

  /** The URL without a password. */
  get safeUrl(): string {
    return this.#mirror.options.remote.safeUrl;
  }

  /** True if nothing can be pushed. */
  get readonly(): boolean {
    return this.#options.readonly;
  }

  /** True if a URL names this repository, in any form. */
  isEquivalent(url: string): boolean {
    return isEquivalent(this.#options.url, url);
  }

  /** Starts cloning and following upstream. */
  start(): void {
    this.#mirror.start();
  }

  /** Stops all work and removes all folders. */
  async stop(): Promise<void> {
    await this.#mirror.stop();
    await this.#mirror.options.folders.close();
  }

  status(): MirrorStatus {
    return this.#mirror.status();
  }

  /** Resolves when the mirror is ready. */
  ready(signal: AbortSignal): Promise<void> {
    return this.#mirror.ready(signal);
  }

  /** Fetches from upstream now. Rejects if the mirror isn't ready or upstream doesn't respond. */
  refresh(signal: AbortSignal): Promise<void> {
    return this.#mirror.refresh(signal);
  }

  /** Fetches from upstream now, without notifying listeners. Rejects like `refresh`. */
  peek(signal: AbortSignal): Promise<void> {
    return this.#mirror.peek(signal);
  }

  /** Creates a tag upstream and removes it. Rejects if the repository is read-only or can't be written to. */
  checkWrite(signal: AbortSignal): Promise<void> {
    return this.#mirror.checkWrite(signal);
  }

  /** Requests a refresh soon. */
  notify(): void {
    this.#mirror.notify();
  }

  /** Calls back after each refresh. */
  onRefreshed(listener: () => void): Unsubscribe {
    return this.#mirror.onRefreshed(listener);
  }

  /** Calls back when the status changes. */
  onStatus(listener: () => void): Unsubscribe {
    return this.#mirror.onStatus(listener);
  }

  /** The head of the configured branch. Rejects with NotReadyError while there's no mirror. */
  async branchHead(signal: AbortSignal): Promise<string> {
    return this.#mirror.history().branchHead(this.#options.branch, signal);
  }

  /** The commit that any name stands for. */
  async revision(name: string, signal: AbortSignal): Promise<string> {
    return this.#mirror.history().revision(name, signal);
  }

  /** Commits in `to` but not in `from`, newest first; only those that touch `paths` unless it's empty. */
  async commitsBetween(
    from: string,
    to: string,
    paths: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly Commit[]> {
    return this.#mirror.history().commits({ range: `${from}..${to}`, paths }, signal);
  }

  /** Commits up to `to`, newest first. */
  async commitsBefore(to: string, paths: readonly string[], signal: AbortSignal): Promise<readonly Commit[]> {
    return this.#mirror.history().commits({ range: to, paths }, signal);
  }

  /** Commits with the files that they changed, newest first; the same for the same query. */
  async changeLog(query: ChangeLogQuery, signal: AbortSignal): Promise<readonly LoggedCommit[]> {
    return this.#mirror.history().changeLog(query, signal);
  }

  /** The content of files by its ID, without those that don't exist. Rejects with GitError if it's too much. */
  async contents(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>> {
    return this.#mirror.history().contents(ids, signal);
  }

  /** The hashes of the commits in `to` but not in `from`, or of all up to `to` if `from` is "", newest first. */
  async hashes(query: HashQuery, signal: AbortSignal): Promise<readonly string[]> {
    return this.#mirror.history().hashes(query, signal);
  }

  /** What's known about a commit; undefined if there's none. */
  async commit(revision: string, signal: AbortSignal): Promise<CommitDetails | undefined> {
    return this.#mirror.history().details(revision, signal);
  }

  /** The last commit that changed some lines of a file; undefined if there's none. */
  async lastChange(lines: LineRange, signal: AbortSignal): Promise<CommitDetails | undefined> {
    return this.#mirror.history().lastChange(lines, signal);
  }

  /** The text of a file in a revision, as it is in git; undefined if there's none. */
  async file(revision: string, path: string, signal: AbortSignal): Promise<string | undefined> {
    return this.#mirror.history().file(revision, path, signal);
  }

  /** The verdict on the signature of each commit, in the given order, which can be abandoned early. */
  verify(revisions: readonly string[], signal: AbortSignal): AsyncIterable<VerifiedCommit> {
    invariant(this.#verdicts, "commits are verified only by a repository with a verifier");
    const history = this.#mirror.history();
    return this.#verdicts.commits(revisions, (command, each) => history.run(command, each), signal);
  }

  /** The commits that have one of our notes. */
  async notedRevisions(signal: AbortSignal): Promise<ReadonlySet<string>> {
    return this.#mirror.history().notedRevisions(this.#options.notesRef, signal);
  }

  /** The text of the note on a commit; undefined if there's none. */
  async note(revision: string, signal: AbortSignal): Promise<string | undefined> {
    return this.#mirror.history().note(revision, this.#options.notesRef, signal);
  }

  /** All files of a revision, with IDs that show whether their content is the same. */
  async treeEntries(revision: string, signal: AbortSignal): Promise<readonly ListedFile[]> {
    return this.#mirror.history().treeEntries(revision, signal);
  }

  /**
   * True if exports have these files as they are in git, unless the repository itself gives them attributes. Rejects with
   * GitError.
   */
  async exportsVerbatim(paths: readonly string[], signal: AbortSignal): Promise<boolean> {
    return (
      this.#options.reveal === undefined && !(await this.#mirror.history().changesContent(paths, signal))
    );
  }

  /** Exports the files of a revision to a folder. */
  async export(revision: string, signal: AbortSignal, options?: ExportOptions): Promise<Export> {
    return this.#mirror.export(revision, signal, options);
  }

  /** A fresh writable clone of the branch head. Rejects if the repository is read-only. */
  async workingClone(signal: AbortSignal): Promise<Checkout> {
    const { remote, git, folders } = this.#mirror.options;
    const { reveal, logger } = this.#options;
    const dependencies = { remote, git, folders, reveal, logger, settings: this.#options };
    return Checkout.open(this.#mirror.writableFolder(), dependencies, signal);
  }

  /** The tag that marks the last synced commit. */
  syncTag(name: string): SyncTag {
    return new SyncTag(this.#mirror, { name, tagger: this.#options.user, verdicts: this.#verdicts });
  }
}
