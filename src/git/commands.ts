/**
 * Each git command as a value: its arguments, and what its output means. Nothing here runs anything. What
 * comes from outside stands behind `--`, is glued to its option, or is refused where it starts with a dash.
 */
import { type Commit, commitFormat, parseCommits } from "./commit.ts";
import { RefusedError } from "./errors.ts";
import { parseNoteList } from "./note.ts";
import { branchRef, parseRefs, type Refs, refFormat, tagRef } from "./refs.ts";
import type { TreeListing } from "./tree-listing.ts";

/** What a git command printed, and how it ended. */
export interface GitOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** A git command and what its output means. */
export interface GitCommand<T> {
  readonly args: readonly string[];
  /** Written to its standard input. */
  readonly input?: string;
  /** What kind of output it has, and so how much it may print; an answer of a line or none where it is not said. */
  readonly prints?: "listing" | "history" | "note" | "answer";
  /** Takes what it prints as it comes, none of which is then kept; false ends git, as too much output does. */
  readonly take?: (bytes: Buffer) => boolean;
  /** True where paths are among what it prints: no two of them become the same text. */
  readonly holdsPaths?: boolean;
  /** Set where it speaks with upstream, and so needs the credentials: which of the two sends. */
  readonly upstream?: "sends" | "receives";
  /** What failed, put before git's own message as Flux v1 does. */
  readonly doing?: string;
  /** True for an exit code other than 0 that is an answer too. */
  readonly isAnswer?: (output: GitOutput) => boolean;
  readonly parse: (output: GitOutput) => T;
}

/** Copies all refs of `url` into the empty folder `dir`. */
export function cloneMirror(url: string, dir: string): GitCommand<void> {
  const args = ["clone", "--mirror", "--template=", "--", outside("git URL", url), dir];
  return fromUpstream(silent(args, "git clone --mirror"));
}

/**
 * Brings the refs of upstream into the mirror; true where any changed. Refs that are gone upstream stay,
 * as in Flux v1, unless `prune` is asked for.
 */
export function fetchMirror(prune: boolean): GitCommand<boolean> {
  const options = ["--tags", "--no-auto-maintenance", "--no-write-fetch-head", "--no-recurse-submodules"];
  return fromUpstream({
    args: ["fetch", ...options, ...(prune ? ["--prune"] : []), "origin"],
    doing: "git fetch --tags origin []",
    parse: ({ stdout, stderr }) => stdout !== "" || stderr !== "",
  });
}

/** Asks upstream for its branches, to see whether it answers. */
export function listRemote(url: string): GitCommand<void> {
  return {
    ...fromUpstream(silent(["ls-remote", "--heads", "--", outside("git URL", url)])),
    prints: "listing",
  };
}

/** All refs of a repository. */
export function listRefs(): GitCommand<Refs> {
  return {
    args: ["for-each-ref", `--format=${refFormat}`],
    prints: "listing",
    parse: ({ stdout }) => parseRefs(stdout),
  };
}

/** Packs what many fetches left lying about, if it is time for it. */
export function collectGarbage(): GitCommand<void> {
  return silent(["-c", "gc.auto=6700", "-c", "gc.autoDetach=false", "gc", "--auto", "--quiet"]);
}

/** The commit that any name of one stands for. */
export function revisionOf(name: string): GitCommand<string> {
  return {
    args: ["rev-list", "--max-count", "1", outside("git ref", name), "--"],
    parse: ({ stdout }) => stdout.trim(),
  };
}

/** Which commits to list. */
export interface LogQuery {
  /** "from..to", or the newest one. */
  readonly range: string;
  /** Only commits that touch one of them, where there are any. */
  readonly paths: readonly string[];
  readonly firstParent?: boolean;
  readonly signatures?: boolean;
}

/** Commits, newest first. */
export function log({
  range,
  paths,
  firstParent = false,
  signatures = false,
}: LogQuery): GitCommand<readonly Commit[]> {
  const format = `--pretty=format:${commitFormat(signatures)}`;
  const options = firstParent ? [format, "--first-parent"] : [format];
  return {
    args: ["--literal-pathspecs", "log", ...options, outside("git ref", range), "--", ...paths],
    prints: "history",
    parse: ({ stdout }) => parseCommits(stdout),
  };
}

/** The commits that bear a note under `ref`. */
export function listNotes(ref: string): GitCommand<ReadonlySet<string>> {
  return {
    args: ["notes", `--ref=${ref}`, "list"],
    prints: "history",
    parse: ({ stdout }) => parseNoteList(stdout),
  };
}

/** The note on a commit; undefined where it has none, which git says in words, for its exit code is that of any error. */
export function showNote(ref: string, revision: string): GitCommand<string | undefined> {
  return {
    args: ["notes", `--ref=${ref}`, "show", outside("git ref", revision)],
    prints: "note",
    isAnswer: ({ stderr }) => stderr.toLowerCase().includes("no note found for object"),
    parse: ({ stdout, exitCode }) => (exitCode === 0 ? stdout : undefined),
  };
}

/** Lists all files and folders of a revision with their sizes; git is ended where they exceed a limit of the listing. */
export function listTree(revision: string, listing: TreeListing): GitCommand<void> {
  return {
    ...silent(["ls-tree", "-r", "-t", "-l", "-z", "--full-tree", outside("git ref", revision)]),
    prints: "listing",
    take: (bytes) => listing.add(bytes),
  };
}

/** How to make a clone that shares the objects of the mirror. */
export interface SharedClone {
  readonly mirrorDir: string;
  readonly dir: string;
  /** The branch to be on. */
  readonly branch?: string;
  /** Settings for the clone's own configuration, "key=value". */
  readonly config?: readonly string[];
}

/** Makes a clone without files that shares the objects of the mirror. */
export function cloneShared({ mirrorDir, dir, branch, config = [] }: SharedClone): GitCommand<void> {
  const options = ["--shared", "--template=", "--no-checkout"];
  const head = branch === undefined ? [] : [`--branch=${branch}`];
  const settings = config.map((setting) => `--config=${setting}`);
  return silent(["clone", ...options, ...head, ...settings, "--", mirrorDir, dir], "git clone");
}

/** Writes the files of the commit that a clone is on. */
export function checkOutHead(): GitCommand<void> {
  return silent(["reset", "--quiet", "--hard"], "git clone");
}

/** Makes the files of a clone those of a revision. */
export function checkOut(revision: string): GitCommand<void> {
  return silent(["checkout", "--quiet", "--force", "--detach", outside("git ref", revision), "--"]);
}

/** Makes some files of a clone those of a revision: written where it has them, else removed. */
export function checkOutPaths(revision: string, paths: readonly string[]): GitCommand<void> {
  const from = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  return {
    ...silent([
      "--literal-pathspecs",
      "checkout",
      "--quiet",
      "--no-overlay",
      ...from,
      outside("git ref", revision),
    ]),
    input: paths.map((path) => `${path}\0`).join(""),
  };
}

/** Takes all files of a clone into the next commit, also those that git does not know yet. */
export function addAll(): GitCommand<void> {
  return silent(["add", "--", "."]);
}

/**
 * True where files that git knows were changed: below `paths`, or anywhere where there are none. As Flux v1,
 * a failure counts as a change: what follows tells of it.
 */
export function hasChanges(paths: readonly string[]): GitCommand<boolean> {
  return changesAgainst([], paths);
}

/** True where anything in the clone, added files included, differs from its last commit. */
export function hasChangesFromHead(): GitCommand<boolean> {
  return changesAgainst(["HEAD"], []);
}

function changesAgainst(revision: readonly string[], paths: readonly string[]): GitCommand<boolean> {
  const options = ["--quiet", "--no-ext-diff"];
  return {
    args: ["--literal-pathspecs", "diff", ...options, ...revision, "--", ...paths],
    isAnswer: () => true,
    parse: ({ exitCode }) => exitCode !== 0,
  };
}

/** Commits all changes of files that git knows; the message comes from standard input. */
export function commitAll(message: string, author: string | undefined): GitCommand<void> {
  const who = author === undefined ? [] : [`--author=${author}`];
  return {
    ...silent(["commit", "--no-verify", "-a", "--file=-", ...who, "--"], "git commit"),
    input: message,
  };
}

/** A note to be put on a commit. */
export interface NewNote {
  /** The notes' ref. */
  readonly ref: string;
  readonly revision: string;
  readonly text: string;
  /** True: replaces the note that the commit has. */
  readonly replace?: boolean;
}

/** Puts a note on a commit. */
export function addNote({ ref, revision, text, replace = false }: NewNote): GitCommand<void> {
  const force = replace ? ["--force"] : [];
  return {
    ...silent(["notes", `--ref=${ref}`, "add", ...force, "--file=-", outside("git ref", revision)]),
    input: text,
  };
}

/** The files that were changed since a revision and are still there, relative to the clone. */
export function changedFiles(since: string, paths: readonly string[]): GitCommand<readonly string[]> {
  const options = ["--name-only", "-z", "--diff-filter=ACMRT", "--no-ext-diff"];
  return {
    args: ["--literal-pathspecs", "diff", ...options, outside("git ref", since), "--", ...paths],
    prints: "listing",
    holdsPaths: true,
    parse: ({ stdout }) => stdout.split("\0").filter((path) => path !== ""),
  };
}

/** Pushes a branch and the notes to `url`, without force. */
export function pushBranch(url: string, branch: string, notesRef: string): GitCommand<void> {
  const refs = [branchRef(branch), notesRef].map((ref) => `${ref}:${ref}`);
  const args = ["push", "--", outside("git URL", url), ...refs];
  return toUpstream(silent(args, `git push ${url} [${branch} ${notesRef}]`));
}

/** Fetches one ref of `url` under another name. */
export function fetchRef(url: string, from: string, to: string): GitCommand<void> {
  return fromUpstream(silent(["fetch", "--no-tags", "--", outside("git URL", url), `+${from}:${to}`]));
}

/** Pushes one ref of a clone under another name, without force. */
export function pushRef(url: string, from: string, to: string): GitCommand<void> {
  return toUpstream(silent(["push", "--", outside("git URL", url), `${from}:${to}`]));
}

/** Stores an annotated tag that nothing points at yet; tells its id. */
export function makeTag(text: string, tag: string): GitCommand<string> {
  return { args: ["mktag"], input: text, doing: `moving tag ${tag}`, parse: ({ stdout }) => stdout.trim() };
}

/** Makes a tag upstream point at an object, wherever it was before; the mirror follows. */
export function pushTag(tag: string, id: string): GitCommand<void> {
  const args = [...pushFromMirror, "--force", "origin", `${id}:${tagRef(tag)}`];
  return toUpstream(silent(args, "pushing tag to origin"));
}

/** Makes a new tag upstream; fails where there is one. */
export function pushNewTag(tag: string, id: string): GitCommand<void> {
  return toUpstream(silent([...pushFromMirror, "origin", `${id}:${tagRef(tag)}`], "attempt to push tag"));
}

/** Removes a tag upstream; the mirror follows. */
export function deleteTag(tag: string): GitCommand<void> {
  return toUpstream(silent([...pushFromMirror, "--delete", "origin", tagRef(tag)]));
}

/** A remote that was cloned with --mirror is otherwise pushed to as one: all refs, or none. */
const pushFromMirror = ["-c", "remote.origin.mirror=false", "push"];

function silent(args: readonly string[], doing?: string): GitCommand<void> {
  return { args, ...(doing === undefined ? {} : { doing }), parse: () => undefined };
}

function fromUpstream<T>(command: GitCommand<T>): GitCommand<T> {
  return { ...command, upstream: "sends" };
}

function toUpstream<T>(command: GitCommand<T>): GitCommand<T> {
  return { ...command, upstream: "receives" };
}

/** Refuses what git would read as an option, or as nothing. */
function outside(what: string, value: string): string {
  if (value === "" || value.startsWith("-")) {
    throw new RefusedError(
      `${what} ${JSON.stringify(value)} is refused: it ${value === "" ? "is empty" : "starts with a dash"}`,
    );
  }
  return value;
}
