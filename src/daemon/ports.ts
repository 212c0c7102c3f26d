import type { Unsubscribe } from "@weir/base";
import type { GitStatus } from "../api/types/api-server.ts";
import type { FluxEvent } from "../event/event.ts";
import type { ManifestStore } from "../manifests/store.ts";
import type { ResourceId } from "../resource/id.ts";
import type { Resource } from "../resource/resource.ts";

/** A commit of the repository. */
export interface RepoCommit {
  readonly revision: string;
  /** The first line of its message. */
  readonly message: string;
}

/** What is to be committed in one go. */
export interface CommitAction {
  readonly message: string;
  /** "Name <email>"; undefined for the configured user. */
  readonly author: string | undefined;
  /** Text of the git note on the commit. */
  readonly note: string;
}

/** A writable clone, gone when it is disposed. */
export interface WorkingClone extends AsyncDisposable {
  /** Absolute path of its files. */
  readonly dir: string;
  /** Commits all changes below the git paths, notes and pushes them; resolves to the new commit. */
  commitAndPush(action: CommitAction, signal: AbortSignal): Promise<string>;
}

/** How far the mirror has come, and what keeps it from being ready. */
export interface RepoStatus {
  readonly status: GitStatus;
  readonly error: string;
  /** The next step was not tried yet, there is no such branch, or git took too long; absent for anything else. */
  readonly hindrance?: "untried" | "no-branch" | "timeout";
}

/** The git repository as the daemon needs it: a mirror that is kept fresh, and clones made of it. */
export interface Repo {
  /** The URL without a password. */
  readonly safeUrl: string;
  /** True where nothing may be pushed. */
  readonly readonly: boolean;
  isEquivalent(url: string): boolean;
  status(): RepoStatus;
  /** Fetches from upstream now; rejects where the mirror is not ready or the upstream does not answer. */
  refresh(signal: AbortSignal): Promise<void>;
  /** Fetches from upstream now, but has nothing synced because of it; rejects as `refresh` does. */
  peek(signal: AbortSignal): Promise<void>;
  /** Rejects where nothing can be pushed; upstream is as before. */
  checkWrite(signal: AbortSignal): Promise<void>;
  /** Asks for a refresh soon. */
  notify(): void;
  /** Calls back after each refresh: look again. */
  onRefreshed(listener: () => void): Unsubscribe;
  /** The commit of the configured branch. Rejects with NotReadyError while there is no mirror. */
  branchHead(signal: AbortSignal): Promise<string>;
  /** The commit that a name of one stands for: a branch, a tag, a hash. Rejects where there is none. */
  revision(name: string, signal: AbortSignal): Promise<string>;
  /** Commits of `to` that `from` has not, newest first; only those touching `paths` where there are any. */
  commitsBetween(
    from: string,
    to: string,
    paths: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly RepoCommit[]>;
  /** Commits up to `to`, newest first. */
  commitsBefore(to: string, paths: readonly string[], signal: AbortSignal): Promise<readonly RepoCommit[]>;
  /** The commits that bear a note of ours. */
  notedRevisions(signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** The text of the note on a commit, undefined where it has none. */
  note(revision: string, signal: AbortSignal): Promise<string | undefined>;
  /** A fresh writable clone of the branch head. Rejects where the repository is read-only. */
  workingClone(signal: AbortSignal): Promise<WorkingClone>;
}

/** The resources of one revision. */
export type ResourceSet = ReadonlyMap<ResourceId, Resource>;

/** The manifests of a revision. */
export interface RevisionResources {
  /** With effective namespaces. */
  readonly resources: ResourceSet;
  /** What the files hold, or held when they could be read, but that was not loaded this time. */
  readonly heldBack: readonly ResourceId[];
  /** False where a file could not be read and nobody knows what it holds. */
  readonly complete: boolean;
}

/** A folder with the files of a revision, gone when it is disposed. */
export interface RevisionExport extends AsyncDisposable {
  readonly dir: string;
}

/** Reads and edits manifests; the files' side of the daemon. */
export interface ManifestSource {
  /**
   * All resources of a revision; `fresh` for what they are now, where they depend on more than the revision.
   * Rejects where a file does not load, or a generator fails.
   */
  at(
    revision: string,
    signal: AbortSignal,
    options?: { readonly fresh?: boolean },
  ): Promise<RevisionResources>;
  /** The manifests in the files of a checkout that nobody else changes, to be read and changed there. */
  store(dir: string): ManifestStore;
}

/** Takes events to an upstream; rejects where they could not be delivered. */
export type EventSink = (event: FluxEvent, signal: AbortSignal) => Promise<void>;

/** How the daemon works: what the flags say of git and of its rhythm. Times in milliseconds. */
export interface DaemonSettings {
  readonly branch: string;
  readonly paths: readonly string[];
  /** Commits are made in the name of who asked for them. */
  readonly setAuthor: boolean;
  /** Put behind every commit message; "" for none. */
  readonly skipMessage: string;
  /** Names the set of resources in the cluster; depends on URL, branch and paths. */
  readonly syncSetName: string;
  readonly manifestGeneration: boolean;
  readonly syncInterval: number;
  readonly syncTimeout: number;
  readonly gitTimeout: number;
  readonly syncOnDrift: boolean;
  /** How often newer images are looked for; undefined where nothing is released by itself. */
  readonly automationInterval: number | undefined;
}
