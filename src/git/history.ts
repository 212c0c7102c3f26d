import type { ChangeLogQuery, LoggedCommit } from "@weir/flux";
import { changeLog } from "./change-log.ts";
import {
  changesLineEnds,
  describeCommit,
  type GitCommand,
  hasAttributes,
  type LineRange,
  type LogQuery,
  lastChange,
  listCommits,
  listNotes,
  log,
  readObjects,
  revisionOf,
  showFile,
  showNote,
} from "./commands.ts";
import type { Commit, CommitDetails } from "./commit.ts";
import { GitError } from "./errors.ts";
import type { MirrorFolder } from "./mirror-folder.ts";
import { fullNotesRef } from "./note.ts";
import { parseObjects } from "./object-batch.ts";
import { branchRef, type Ref, tagRef } from "./refs.ts";
import type { ListedFile } from "./tree.ts";

/** Which commits to list. */
export interface HashQuery {
  /** "" for the beginning. */
  readonly from: string;
  readonly to: string;
  /** Leave out what was merged. */
  readonly firstParent: boolean;
}

/**
 * Reads from the mirror. What the refs contain is known without running git. Rejects with GitError if a name doesn't
 * stand for a commit.
 */
export class History {
  readonly #folder: MirrorFolder;

  constructor(folder: MirrorFolder) {
    this.#folder = folder;
  }

  /** The commit at the head of a branch. */
  async branchHead(branch: string, signal: AbortSignal): Promise<string> {
    const ref = this.#folder.refs.get(branchRef(branch));
    return ref?.id ?? this.revision(`heads/${branch}`, signal);
  }

  /** What a tag points to; undefined if there's no such tag. */
  tag(tag: string): Ref | undefined {
    return this.#folder.refs.get(tagRef(tag));
  }

  /** The commit that any name stands for. */
  revision(name: string, signal: AbortSignal): Promise<string> {
    return this.#folder.run(revisionOf(name), signal);
  }

  /** Commits, newest first. */
  commits(query: LogQuery, signal: AbortSignal): Promise<readonly Commit[]> {
    return this.#folder.run(log(query), signal);
  }

  /** The hashes of the commits in `to` but not in `from`, or of all up to `to` if `from` is "", newest first. */
  hashes({ from, to, firstParent }: HashQuery, signal: AbortSignal): Promise<readonly string[]> {
    return this.#folder.run(listCommits(from === "" ? to : `${from}..${to}`, firstParent), signal);
  }

  /** What's known about a commit. */
  details(revision: string, signal: AbortSignal): Promise<CommitDetails | undefined> {
    return this.#folder.run(describeCommit(revision), signal);
  }

  /** The last commit that changed some lines of a file. */
  lastChange(lines: LineRange, signal: AbortSignal): Promise<CommitDetails | undefined> {
    return this.#folder.run(lastChange(lines), signal);
  }

  /** The text of a file in a revision; undefined if there's none. */
  file(revision: string, path: string, signal: AbortSignal): Promise<string | undefined> {
    return this.#folder.run(showFile(revision, path), signal);
  }

  /** Commits with the files that they changed, newest first. */
  changeLog(query: ChangeLogQuery, signal: AbortSignal): Promise<readonly LoggedCommit[]> {
    return this.#folder.run(changeLog(query), signal);
  }

  /** The content of files by its ID, without those that don't exist. */
  async contents(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>> {
    if (ids.length === 0) {
      return new Map();
    }
    const output: Buffer[] = [];
    await this.#folder.run(
      readObjects(ids, (bytes) => void output.push(bytes)),
      signal,
    );
    const objects = parseObjects(Buffer.concat(output));
    return new Map(
      objects.flatMap((object) => (object?.type === "blob" ? [[object.id, object.content] as const] : [])),
    );
  }

  /**
   * True if the configuration of git may change the content of these files when they're checked out. Attributes in the
   * repository itself don't count.
   */
  async changesContent(paths: readonly string[], signal: AbortSignal): Promise<boolean> {
    const changes = await Promise.all([
      this.#folder.run(hasAttributes(paths), signal),
      this.#folder.run(changesLineEnds(), signal),
    ]);
    return changes.includes(true);
  }

  /** Runs git in the mirror. */
  run<T>(command: GitCommand<T>, signal: AbortSignal): Promise<T> {
    return this.#folder.run(command, signal);
  }

  /** The commits that have a note. */
  async notedRevisions(notesRef: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const ref = fullNotesRef(notesRef);
    return this.#folder.refs.has(ref) ? this.#folder.run(listNotes(ref), signal) : new Set();
  }

  /** The text of the note on a commit; undefined if there's none, or if it's longer than any of ours. */
  async note(revision: string, notesRef: string, signal: AbortSignal): Promise<string | undefined> {
    const ref = fullNotesRef(notesRef);
    if (!this.#folder.refs.has(ref)) {
      return undefined;
    }
    try {
      return await this.#folder.run(showNote(ref, revision), signal);
    } catch (error) {
      if (error instanceof GitError && error.failure === "flood") {
        return undefined;
      }
      throw error;
    }
  }

  /** All files of a revision, with the IDs of their content. */
  treeEntries(revision: string, signal: AbortSignal): Promise<readonly ListedFile[]> {
    return this.#folder.trees.entries(revision, signal);
  }
}
