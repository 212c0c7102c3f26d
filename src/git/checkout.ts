import { join } from "node:path";
import { invariant, type Logger, toError } from "@weir/base";
import { type FluxError, OvertakenError } from "@weir/flux";
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
  intendToAdd,
  moveHead,
  pushBranch,
  pushRef,
  readObjects,
  revisionOf,
} from "./commands.ts";
import type { CommitAction, Identity } from "./commit.ts";
import { conceal } from "./conceal.ts";
import { GitError, NoChangesError, pushError, SigningError } from "./errors.ts";
import { storeLoose } from "./loose-object.ts";
import type { MirrorFolder } from "./mirror-folder.ts";
import { fullNotesRef } from "./note.ts";
import { type GitObject, parseObjects } from "./object-batch.ts";
import { isOvertaken, parsePushRefusals, shortRef } from "./push-refusals.ts";
import { branchRef } from "./refs.ts";
import type { Remote } from "./remote.ts";
import { type Reveal, revealInto } from "./reveal.ts";
import type { Git } from "./run.ts";
import type { Signer } from "./signature.ts";
import { withSignature } from "./signed-object.ts";
import type { TempFolders } from "./temp-folders.ts";
import type { TreeEntry } from "./tree.ts";

/** How to make commits. */
export interface CheckoutSettings {
  readonly branch: string;
  /** The paths where changes count; all paths if empty. */
  readonly paths: readonly string[];
  readonly notesRef: string;
  /** The committer, and the default author. */
  readonly user: Identity;
  /** True to commit everything in the clone, including untracked files, because generators create files. */
  readonly wholeTree: boolean;
  /** Signs commits and tags; undefined for none. */
  readonly signer?: Signer | undefined;
}

/** How many times to try pushing a note after its commit was pushed. */
const noteAttempts = 3;

/** A writable clone of the branch head for one change, removed when it's disposed. */
export class Checkout implements AsyncDisposable {
  /** The absolute path of its files. */
  readonly dir: string;
  readonly #deps: CheckoutDependencies;
  readonly #notesRef: string;
  #revealed: readonly TreeEntry[] = [];

  private constructor(dir: string, deps: CheckoutDependencies) {
    this.dir = dir;
    this.#deps = deps;
    this.#notesRef = fullNotesRef(deps.settings.notesRef);
  }

  /**
   * Clones the mirror, with its notes; leaves nothing behind if that fails. Rejects with OversizedCommitError or
   * NoSpaceError if the head of the branch can't be checked out, or with RevealError if a file can't be decrypted.
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
      checkout.#revealed = await revealInto(dir, deps.reveal, signal);
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

  /** The files that were decrypted into the clone; none after a commit. */
  get revealed(): readonly TreeEntry[] {
    return this.#revealed;
  }

  /** Includes files that git doesn't know yet, relative to the clone, in the next commit. */
  async include(paths: readonly string[], signal: AbortSignal): Promise<void> {
    if (paths.length > 0) {
      await this.#run(intendToAdd(paths), signal);
    }
  }

  /** Absolute paths of the files that were changed since a revision and still exist. */
  async changedFiles(since: string, signal: AbortSignal): Promise<readonly string[]> {
    const files = await this.#run(changedFiles(since, this.#deps.settings.paths), signal);
    return files.map((file) => join(this.dir, file));
  }

  /**
   * Commits all changes except those of decrypted files, adds a note to the commit, pushes both, and resolves to the
   * commit. Rejects with NoChangesError if nothing was changed, with SigningError if the commit can't be signed, and
   * with a FluxError if the push is refused, in which case the commit doesn't exist: an OvertakenError if that's only
   * because somebody else pushed first.
   */
  async commitAndPush(action: CommitAction, signal: AbortSignal): Promise<string> {
    await this.#conceal(signal);
    if (!(await this.#hasChanges(signal))) {
      throw new NoChangesError();
    }
    await this.#run(commitAll(action.message, action.author), signal);
    const { signer } = this.#deps.settings;
    const note = (revision: string): Promise<void> =>
      this.#run(addNote({ ref: this.#notesRef, revision, text: action.note }), signal);
    const revision = await (signer === undefined
      ? this.#noteHead(note, signal)
      : this.#signHead(signer, note, signal));
    await this.#push(revision, action.note, signal);
    return revision;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#deps.folders.remove(this.dir);
  }

  /** The size of the clone's commit; the mirror may have moved on since. */
  async #writeFiles({ trees }: MirrorFolder, signal: AbortSignal): Promise<void> {
    const revision = await this.headRevision(signal);
    const size = await trees.size(revision, signal);
    await this.#deps.folders.requireSpace(size, `the files of commit ${revision}`);
    await this.#run(checkOutHead(), signal);
  }

  /** The files won't be needed again. */
  async #conceal(signal: AbortSignal): Promise<void> {
    const { git, logger } = this.#deps;
    const { changed, tracked } = await conceal({ dir: this.dir, revealed: this.#revealed, git }, signal);
    this.#revealed = [];
    if (changed.length > 0) {
      logger.log({
        warning:
          "changes to files that git-secret hides aren't committed; reveal the files, edit them, and hide them again",
        files: changed.join(", "),
      });
    }
    if (tracked.length > 0) {
      logger.log({
        warning:
          "the repository contains files that git-secret hides, without encryption; remove them with git rm --cached",
        files: tracked.join(", "),
      });
    }
  }

  async #hasChanges(signal: AbortSignal): Promise<boolean> {
    const { wholeTree, paths } = this.#deps.settings;
    if (!wholeTree) {
      return this.#run(hasChanges(paths), signal);
    }
    await this.#run(addAll(), signal);
    return this.#run(hasChangesFromHead(), signal);
  }

  async #noteHead(note: (revision: string) => Promise<void>, signal: AbortSignal): Promise<string> {
    const revision = await this.headRevision(signal);
    await note(revision);
    return revision;
  }

  /** Replaces the commit that was just made with a signed one, and adds the note to that. */
  async #signHead(
    signer: Signer,
    note: (revision: string) => Promise<void>,
    signal: AbortSignal,
  ): Promise<string> {
    const { id, content } = await this.#headCommit(signal);
    const signature = await signer.sign(content).catch((error: unknown) => {
      throw new SigningError("git commit", "fatal: failed to write commit object", error);
    });
    const signed = await storeLoose(join(this.dir, ".git", "objects"), {
      type: "commit",
      content: withSignature(content, id, signature),
      hash: id.length === 64 ? "sha256" : "sha1",
    });
    // At the same time, because starting git takes longer than signing.
    const done = await Promise.allSettled([note(signed), this.#run(moveHead(id, signed), signal)]);
    for (const each of done) {
      if (each.status === "rejected") {
        throw toError(each.reason);
      }
    }
    return signed;
  }

  async #headCommit(signal: AbortSignal): Promise<GitObject> {
    const output: Buffer[] = [];
    await this.#run(
      readObjects(["HEAD"], (bytes) => void output.push(bytes)),
      signal,
    );
    const [commit] = parseObjects(Buffer.concat(output));
    invariant(commit, "a commit was just made");
    return commit;
  }

  async #push(revision: string, note: string, signal: AbortSignal): Promise<void> {
    const { remote, settings } = this.#deps;
    try {
      await this.#run(pushBranch(remote.url, settings.branch, this.#notesRef), signal);
    } catch (error) {
      if (!(await this.#notedAfterwards(toError(error), revision, note, signal))) {
        throw this.#pushError(toError(error));
      }
    }
  }

  #pushError(error: Error): FluxError {
    const wrapped = pushError(error);
    const ref = branchRef(this.#deps.settings.branch);
    const overtaken =
      error instanceof GitError && isOvertaken(parsePushRefusals(error.output), ref, error.output);
    return overtaken ? OvertakenError.of(wrapped) : wrapped;
  }

  /**
   * Git pushes each ref separately. If the commit was pushed but its note wasn't, because somebody else pushed a note
   * in between, the note is added to theirs, so that the commit doesn't stay without it.
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

export interface CheckoutDependencies {
  readonly remote: Remote;
  readonly git: Git;
  readonly folders: TempFolders;
  /** Decrypts files; undefined for none. */
  readonly reveal?: Reveal | undefined;
  readonly logger: Logger;
  readonly settings: CheckoutSettings;
}

function isRejected({ output }: GitError, ref: string): boolean {
  return parsePushRefusals(output).some((refusal) => refusal.ref === shortRef(ref));
}
