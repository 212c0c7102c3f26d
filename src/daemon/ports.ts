import type { Unsubscribe } from "@weir/base";
import type {
  ChangeLogQuery,
  FluxEvent,
  LoggedCommit,
  Resource,
  ResourceId,
  SignatureProblem,
} from "@weir/flux";
import type { GitStatus } from "@weir/flux/api";
import type { FileText } from "../manifests/defined-in.ts";
import type { ManifestStore } from "../manifests/store.ts";

/** A commit of the repository. */
export interface RepoCommit {
  readonly revision: string;
  /** The first line of its message. */
  readonly message: string;
}

/** All that's shown of a commit. */
export interface CommitDetails {
  readonly revision: string;
  /** "Name <email>". */
  readonly author: string;
  /** When the author made it, in ISO 8601. */
  readonly date: string;
  /** Empty for a first commit. */
  readonly parents: readonly string[];
  /** The whole message. */
  readonly message: string;
}

/** Some lines of a file in a revision, counted from 1; `to` is included. */
export interface LineRange {
  readonly revision: string;
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** A commit, whose it is, and the verdict on its signature. */
export interface VerifiedCommit extends SignatureProblem {
  readonly revision: string;
  /** "Name <email>"; "" if there's no such commit. */
  readonly author: string;
  /** git's %G?; only "G" is good and trusted. */
  readonly status: string;
  /** True if the signature is enough for a commit that was synced before. */
  readonly accepted: boolean;
}

/** Which commits to list by hash. */
export interface HashQuery {
  /** "" for the beginning. */
  readonly from: string;
  readonly to: string;
  /** Leave out what was merged. */
  readonly firstParent: boolean;
}

/** Which commits must be signed before they're applied. */
export type VerifyMode = "none" | "all" | "first-parent";

/** The content of one commit. */
export interface CommitAction {
  readonly message: string;
  /** "Name <email>"; undefined for the configured user. */
  readonly author: string | undefined;
  /** The text of the commit's note. */
  readonly note: string;
}

/** A writable clone, removed when it's disposed. */
export interface WorkingClone extends AsyncDisposable {
  /** The absolute path of its files. */
  readonly dir: string;
  /** The commit that it's on. */
  headRevision(signal: AbortSignal): Promise<string>;
  /** The files that were decrypted into it, and that must not be committed. */
  readonly revealed: readonly RevisionFile[];
  /** Includes files that git doesn't know yet, relative to `dir`, in the commit. */
  include(paths: readonly string[], signal: AbortSignal): Promise<void>;
  /** Commits all changes below the git paths with a note, pushes both, and resolves to the new commit. */
  commitAndPush(action: CommitAction, signal: AbortSignal): Promise<string>;
}

/** The state of the mirror, and what keeps it from being ready. */
export interface RepoStatus {
  readonly status: GitStatus;
  readonly error: string;
  /** The next step wasn't tried yet, the branch doesn't exist, or git took too long; absent for anything else. */
  readonly hindrance?: "untried" | "no-branch" | "timeout";
}

/** The git repository as the daemon uses it: a mirror that's kept up to date, and its clones. */
export interface Repo {
  /** The URL without a password. */
  readonly safeUrl: string;
  /** True if nothing can be pushed. */
  readonly readonly: boolean;
  isEquivalent(url: string): boolean;
  status(): RepoStatus;
  /** Fetches from upstream now. Rejects if the mirror isn't ready or upstream doesn't respond. */
  refresh(signal: AbortSignal): Promise<void>;
  /** Fetches from upstream now, without causing a sync. Rejects like `refresh`. */
  peek(signal: AbortSignal): Promise<void>;
  /** Rejects if nothing can be pushed; upstream stays unchanged. */
  checkWrite(signal: AbortSignal): Promise<void>;
  /** Requests a refresh soon. */
  notify(): void;
  /** Calls back after each refresh. */
  onRefreshed(listener: () => void): Unsubscribe;
  /** The head of the configured branch. Rejects with NotReadyError while there's no mirror. */
  branchHead(signal: AbortSignal): Promise<string>;
  /** The commit that a name stands for: a branch, a tag, or a hash. Rejects if there's none. */
  revision(name: string, signal: AbortSignal): Promise<string>;
  /** Commits in `to` but not in `from`, newest first; only those that touch `paths` unless it's empty. */
  commitsBetween(
    from: string,
    to: string,
    paths: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly RepoCommit[]>;
  /** Commits up to `to`, newest first. */
  commitsBefore(to: string, paths: readonly string[], signal: AbortSignal): Promise<readonly RepoCommit[]>;
  /** Commits with the files that they changed, newest first; the same for the same query. */
  changeLog(query: ChangeLogQuery, signal: AbortSignal): Promise<readonly LoggedCommit[]>;
  /** All files of a revision. */
  treeEntries(revision: string, signal: AbortSignal): Promise<readonly RevisionFile[]>;
  /** The content of files by its ID, without those that don't exist. Rejects if it's too much to hold at once. */
  contents(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>>;
  /** The hashes of the commits in `to` but not in `from`, newest first, in git's order. */
  hashes(query: HashQuery, signal: AbortSignal): Promise<readonly string[]>;
  /** What's known about a commit; undefined if there's none. */
  commit(revision: string, signal: AbortSignal): Promise<CommitDetails | undefined>;
  /** The last commit that changed some lines of a file; undefined if there's none. */
  lastChange(lines: LineRange, signal: AbortSignal): Promise<CommitDetails | undefined>;
  /** The text of a file in a revision, as it is in git; undefined if there's none. */
  file(revision: string, path: string, signal: AbortSignal): Promise<string | undefined>;
  /** The verdict on the signature of each commit, in the given order, which can be abandoned early. */
  verify(revisions: readonly string[], signal: AbortSignal): AsyncIterable<VerifiedCommit>;
  /** The commits that have one of our notes. */
  notedRevisions(signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** The text of the note on a commit; undefined if there's none. */
  note(revision: string, signal: AbortSignal): Promise<string | undefined>;
  /** A fresh writable clone of the branch head. Rejects if the repository is read-only. */
  workingClone(signal: AbortSignal): Promise<WorkingClone>;
}

/** The resources of one revision. */
export type ResourceSet = ReadonlyMap<ResourceId, Resource>;

/** The manifests of a revision. */
export interface RevisionResources {
  /** With effective namespaces. */
  readonly resources: ResourceSet;
  /** Resources that are in the files, or were when the files could last be read, but weren't loaded this time. */
  readonly heldBack: readonly ResourceId[];
  /** False if a file couldn't be read, so that its resources aren't known. */
  readonly complete: boolean;
}

/** A file of a revision: the same ID means the same content. */
export interface RevisionFile {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

/** A folder with the files of a revision, removed when it's disposed. */
export interface RevisionExport extends AsyncDisposable {
  readonly dir: string;
  /** Files that were decrypted and that the revision doesn't have, or has with other content. */
  readonly revealed: readonly RevisionFile[];
}

/** Reads and edits manifests in files. */
export interface ManifestSource {
  /**
   * All resources of a revision; with `fresh`, loaded again if they depend on more than the revision. Rejects if a file
   * can't be loaded or a generator fails. `onRead` receives what is read from files on the way, with the namespaces that
   * are written in them.
   */
  at(
    revision: string,
    signal: AbortSignal,
    options?: { readonly fresh?: boolean; readonly onRead?: (resource: Resource) => void },
  ): Promise<RevisionResources>;
  /**
   * The resources that some files define by themselves, in their effective namespaces; what can't be read is left out,
   * and nothing is decrypted or generated. Rejects if the cluster doesn't respond.
   */
  definedIn(files: readonly FileText[], signal: AbortSignal): Promise<ResourceSet>;
  /** The manifests in the files of a checkout that nobody else changes, for reading and editing. */
  store(dir: string): ManifestStore;
}

/** Sends events to an upstream; rejects if they can't be delivered. */
export type EventSink = (event: FluxEvent, signal: AbortSignal) => Promise<void>;

/** The daemon's settings for git and its intervals. Times are in milliseconds. */
export interface DaemonSettings {
  readonly branch: string;
  readonly paths: readonly string[];
  /** Make commits in the name of the person who requested them. */
  readonly setAuthor: boolean;
  /** Appended to every commit message; "" for none. */
  readonly skipMessage: string;
  /** How often to make a change again if its push was refused because somebody else pushed first. */
  readonly pushRetries: number;
  /** The name of the set of resources in the cluster; depends on URL, branch, and paths. */
  readonly syncSetName: string;
  readonly manifestGeneration: boolean;
  readonly verifySignatures: VerifyMode;
  readonly syncInterval: number;
  readonly syncTimeout: number;
  readonly gitTimeout: number;
  readonly syncOnDrift: boolean;
  /** How often to look for newer images; undefined to never release automatically. */
  readonly automationInterval: number | undefined;
}
