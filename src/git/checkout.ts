import { join } from "node:path";
import { toError } from "@weir/base";
import {
  addAll,
  addNote,
  changedFiles,
  checkOutHead,
  cloneShared,
  commitAll,
  fetchRef,
  type GitCommand,
  hasChanges,
  hasChangesFromHead,
  pushBranch,
  pushRef,
  revisionOf,
} from "./commands.ts";
import type { CommitAction, Identity } from "./commit.ts";
import { GitError, NoChangesError, pushError } from "./errors.ts";
import type { MirrorFolder } from "./mirror-folder.ts";
import { fullNotesRef } from "./note.ts";
import { branchRef } from "./refs.ts";
import type { Remote } from "./remote.ts";
import type { Git } from "./run.ts";
import type { TempFolders } from "./temp-folders.ts";

/** How commits are made. */
export interface CheckoutSettings {
  readonly branch: string;
  /** Where changes are looked for; everywhere where there are none. */
  readonly paths: readonly string[];
  readonly notesRef: string;
  /** The committer, and the author where none is given. */
  readonly user: Identity;
  /** Everything in the clone is committed, also files that git does not know: generators make such. */
  readonly wholeTree: boolean;
}

/** What a checkout is made with. */
export interface CheckoutDependencies {
  readonly remote: Remote;
  readonly git: Git;
  readonly folders: TempFolders;
  readonly settings: CheckoutSettings;
}

/** How often the note of a commit that is upstream already is tried to be pushed after it. */
const noteAttempts = 3;

/** A writable clone of the branch head for one change, gone when it is disposed. */
export class Checkout implements AsyncDisposable {
  /** Absolute path of its files. */
  readonly dir: string;
  readonly #deps: CheckoutDependencies;
  readonly #notesRef: string;

  private constructor(dir: string, deps: CheckoutDependencies) {
    this.dir = dir;
    this.#deps = deps;
    this.#notesRef = fullNotesRef(deps.settings.notesRef);
  }

  /**
   * Makes a clone of the mirror, with its notes; nothing is left where that fails. Rejects with OversizedCommitError
   * and NoSpaceError where the head of the branch is not to be had.
   */
  static async open(
    mirror: MirrorFolder,
    deps: CheckoutDependencies,
    signal: AbortSignal,
  ): Promise<Checkout> {
    const { branch, user } = deps.settings;
    const dir = await deps.folders.make("flux-working");
    const config = [
      `user.name=${user.name}`,
      `user.email=${user.email}`,
      "remote.origin.fetch=+refs/notes/*:refs/notes/*",
    ];
    try {
      await mirror.run(cloneShared({ mirrorDir: mirror.dir, dir, branch, config }), signal);
      const checkout = new Checkout(dir, deps);
      await checkout.#writeFiles(mirror, signal);
      return checkout;
    } catch (error) {
      await deps.folders.remove(dir);
      throw error;
    }
  }

  /** The commit that the clone is on. */
  headRevision(signal: AbortSignal): Promise<string> {
    return this.#run(revisionOf("HEAD"), signal);
  }

  /** Absolute paths of the files that were changed since a revision and are still there. */
  async changedFiles(since: string, signal: AbortSignal): Promise<readonly string[]> {
    const files = await this.#run(changedFiles(since, this.#deps.settings.paths), signal);
    return files.map((file) => join(this.dir, file));
  }

  /**
   * Commits all changes, notes the commit and pushes both; resolves to the commit. Rejects with
   * NoChangesError where nothing was changed, and with a FluxError where upstream refuses: then the commit
   * is not there.
   */
  async commitAndPush(action: CommitAction, signal: AbortSignal): Promise<string> {
    if (!(await this.#hasChanges(signal))) {
      throw new NoChangesError();
    }
    await this.#run(commitAll(action.message, action.author), signal);
    const revision = await this.headRevision(signal);
    await this.#run(addNote({ ref: this.#notesRef, revision, text: action.note }), signal);
    await this.#push(revision, action.note, signal);
    return revision;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#deps.folders.remove(this.dir);
  }

  /** Of the commit that the clone is on: the mirror may be on another one by now. */
  async #writeFiles({ trees }: MirrorFolder, signal: AbortSignal): Promise<void> {
    const revision = await this.headRevision(signal);
    const size = await trees.size(revision, signal);
    await this.#deps.folders.requireSpace(size, `the files of commit ${revision}`);
    await this.#run(checkOutHead(), signal);
  }

  async #hasChanges(signal: AbortSignal): Promise<boolean> {
    const { wholeTree, paths } = this.#deps.settings;
    if (!wholeTree) {
      return this.#run(hasChanges(paths), signal);
    }
    await this.#run(addAll(), signal);
    return this.#run(hasChangesFromHead(), signal);
  }

  async #push(revision: string, note: string, signal: AbortSignal): Promise<void> {
    const { remote, settings } = this.#deps;
    try {
      await this.#run(pushBranch(remote.url, settings.branch, this.#notesRef), signal);
    } catch (error) {
      if (!(await this.#notedAfterwards(toError(error), revision, note, signal))) {
        throw pushError(toError(error));
      }
    }
  }

  /**
   * Git pushes each ref by itself. Where the commit went through and its note did not, because someone else
   * pushed a note meanwhile, the note is put on theirs, so that the commit is there whole.
   */
  async #notedAfterwards(
    error: Error,
    revision: string,
    note: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const onlyNote = error instanceof GitError && isRejected(error, this.#notesRef);
    if (!onlyNote || isRejected(error, branchRef(this.#deps.settings.branch))) {
      return false;
    }
    for (let attempt = 0; attempt < noteAttempts && !signal.aborted; attempt += 1) {
      const done = await this.#addToTheirNotes(revision, note, signal).then(
        () => true,
        () => false,
      );
      if (done) {
        return true;
      }
    }
    return false;
  }

  async #addToTheirNotes(revision: string, note: string, signal: AbortSignal): Promise<void> {
    const { url } = this.#deps.remote;
    const theirs = "refs/notes/weir-theirs";
    await this.#run(fetchRef(url, this.#notesRef, theirs), signal);
    await this.#run(addNote({ ref: theirs, revision, text: note, replace: true }), signal);
    await this.#run(pushRef(url, theirs, this.#notesRef), signal);
  }

  #run<T>(command: GitCommand<T>, signal: AbortSignal): Promise<T> {
    return this.#deps.git.run(command, this.dir, signal);
  }
}

/** True where the output of a push has a line such as " ! [rejected]  main -> main (fetch first)" for a ref. */
function isRejected({ output }: GitError, ref: string): boolean {
  const short = ref.replace(/^refs\/(heads|tags)\//, "");
  return output
    .split("\n")
    .some((line) => /^ ! \[(remote )?rejected\]/.test(line) && line.includes(` -> ${short} (`));
}
