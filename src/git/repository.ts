/** The git repository as one thing: the mirror, what is read of it, and working clones made of it. */
import { type GitLimits, gitLimits, type Unsubscribe } from "@weir/base";
import { Checkout, type CheckoutSettings } from "./checkout.ts";
import type { Commit } from "./commit.ts";
import type { GitEnvironment } from "./environment.ts";
import type { Export, ExportOptions } from "./export.ts";
import { Mirror, type MirrorOptions } from "./mirror.ts";
import { isEquivalent, remoteOf } from "./remote.ts";
import { createGit } from "./run.ts";
import type { MirrorStatus } from "./status.ts";
import { SyncTag } from "./sync-tag.ts";
import { TempFolders } from "./temp-folders.ts";
import type { TreeEntry } from "./tree.ts";

/** Which repository, and how it is worked with. Times in milliseconds. */
export interface RepositoryOptions
  extends CheckoutSettings,
    Pick<MirrorOptions, "readonly" | "pollInterval" | "timeout" | "clock" | "logger"> {
  readonly url: string;
  /** Where folders are made. */
  readonly tempDir: string;
  /** What gitEnvironment made of the program's own. */
  readonly environment: GitEnvironment;
  /** Other limits than usual. */
  readonly limits?: GitLimits;
}

/** A mirror that is kept fresh from `start` to `stop`, and what is made of it. */
export class Repository {
  readonly #options: RepositoryOptions;
  readonly #mirror: Mirror;

  private constructor(options: RepositoryOptions, mirror: Mirror) {
    this.#options = options;
    this.#mirror = mirror;
  }

  /** Signs for its folders below `tempDir`, and removes what an earlier process left there. */
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

  /** True where nothing may be pushed. */
  get readonly(): boolean {
    return this.#options.readonly;
  }

  /** True where a URL names this repository, in whatever form. */
  isEquivalent(url: string): boolean {
    return isEquivalent(this.#options.url, url);
  }

  /** Begins to clone and to follow upstream. */
  start(): void {
    this.#mirror.start();
  }

  /** Ends what is going on and removes all folders. */
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

  /** Fetches from upstream now; rejects where the mirror is not ready or the upstream does not answer. */
  refresh(signal: AbortSignal): Promise<void> {
    return this.#mirror.refresh(signal);
  }

  /** Fetches from upstream now, and tells nobody; rejects as `refresh` does. */
  peek(signal: AbortSignal): Promise<void> {
    return this.#mirror.peek(signal);
  }

  /** Makes a tag upstream and takes it away again. Rejects where the repository is read-only, or cannot be written. */
  checkWrite(signal: AbortSignal): Promise<void> {
    return this.#mirror.checkWrite(signal);
  }

  /** Asks for a refresh soon. */
  notify(): void {
    this.#mirror.notify();
  }

  /** Calls back after each refresh: look again. */
  onRefreshed(listener: () => void): Unsubscribe {
    return this.#mirror.onRefreshed(listener);
  }

  /** Calls back when the status is another one. */
  onStatus(listener: () => void): Unsubscribe {
    return this.#mirror.onStatus(listener);
  }

  /** The commit of the configured branch. Rejects with NotReadyError while there is no mirror. */
  async branchHead(signal: AbortSignal): Promise<string> {
    return this.#mirror.history().branchHead(this.#options.branch, signal);
  }

  /** The commit that any name of one stands for. */
  async revision(name: string, signal: AbortSignal): Promise<string> {
    return this.#mirror.history().revision(name, signal);
  }

  /** Commits of `to` that `from` has not, newest first; only those touching `paths` where there are any. */
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

  /** The commits that bear a note of ours. */
  async notedRevisions(signal: AbortSignal): Promise<ReadonlySet<string>> {
    return this.#mirror.history().notedRevisions(this.#options.notesRef, signal);
  }

  /** The text of the note on a commit, undefined where it has none. */
  async note(revision: string, signal: AbortSignal): Promise<string | undefined> {
    return this.#mirror.history().note(revision, this.#options.notesRef, signal);
  }

  /** All files of a revision, with ids that tell whether their content is the same. */
  async treeEntries(revision: string, signal: AbortSignal): Promise<readonly TreeEntry[]> {
    return this.#mirror.history().treeEntries(revision, signal);
  }

  /** The files of a revision in a folder. */
  async export(revision: string, signal: AbortSignal, options?: ExportOptions): Promise<Export> {
    return this.#mirror.export(revision, signal, options);
  }

  /** A fresh writable clone of the branch head. Rejects where the repository is read-only. */
  async workingClone(signal: AbortSignal): Promise<Checkout> {
    const { remote, git, folders } = this.#mirror.options;
    const dependencies = { remote, git, folders, settings: this.#options };
    return Checkout.open(this.#mirror.writableFolder(), dependencies, signal);
  }

  /** The tag that keeps up to which commit was synced. */
  syncTag(tag: string): SyncTag {
    return new SyncTag(this.#mirror, tag, this.#options.user);
  }
}
