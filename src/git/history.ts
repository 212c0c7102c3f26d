import { type LogQuery, listNotes, log, revisionOf, showNote } from "./commands.ts";
import type { Commit } from "./commit.ts";
import { GitError } from "./errors.ts";
import type { MirrorFolder } from "./mirror-folder.ts";
import { fullNotesRef } from "./note.ts";
import { branchRef, tagRef } from "./refs.ts";
import type { TreeEntry } from "./tree.ts";

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

  /** The commit that a tag points to; "" if there's no such tag. */
  tagRevision(tag: string): string {
    return this.#folder.refs.get(tagRef(tag))?.peeled ?? "";
  }

  /** The commit that any name stands for. */
  revision(name: string, signal: AbortSignal): Promise<string> {
    return this.#folder.run(revisionOf(name), signal);
  }

  /** Commits, newest first. */
  commits(query: LogQuery, signal: AbortSignal): Promise<readonly Commit[]> {
    return this.#folder.run(log(query), signal);
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
  treeEntries(revision: string, signal: AbortSignal): Promise<readonly TreeEntry[]> {
    return this.#folder.trees.entries(revision, signal);
  }
}
