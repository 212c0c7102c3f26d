/**
 * Each git command as a value: its arguments, and how to parse its output. Nothing here runs anything. External values
 * come after `--`, are part of an option (`--name=value`), or are refused if they start with a dash.
 */
import {
  type Commit,
  type CommitDetails,
  commitFormat,
  detailsFormat,
  parseCommits,
  parseDetails,
} from "./commit.ts";
import { RefusedError } from "./errors.ts";
import { parseNoteList } from "./note.ts";
import { branchRef, parseRefs, type Refs, refFormat, tagRef } from "./refs.ts";
import type { TreeListing } from "./tree-listing.ts";

/** The output of a git command, and its exit code. */
export interface GitOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** A git command and how to parse its output. */
export interface GitCommand<T> {
  readonly args: readonly string[];
  /** The text for its standard input. */
  readonly input?: string;
  /** The kind of output, which determines its size limit; by default, a line or nothing. */
  readonly prints?: "listing" | "history" | "note" | "answer";
  /** Receives the output in parts, none of which is then kept. Returns false to stop git, as for too much output. */
  readonly take?: (bytes: Buffer) => boolean;
  /** True if the output contains paths: no two different paths become the same text. */
  readonly holdsPaths?: boolean;
  /** Set if the command contacts upstream and so needs credentials: the direction of the data. */
  readonly upstream?: "sends" | "receives";
  /** The action that failed, added before git's own message as in Flux v1. */
  readonly doing?: string;
  /** True for an exit code other than 0 that isn't a failure. */
  readonly isAnswer?: (output: GitOutput) => boolean;
  readonly parse: (output: GitOutput) => T;
}

/** Copies all refs of `url` into the empty folder `dir`. */
export function cloneMirror(url: string, dir: string): GitCommand<void> {
  const args = ["clone", "--mirror", "--template=", "--", outside("git URL", url), dir];
  return fromUpstream(silent(args, "git clone --mirror"));
}

/**
 * Fetches upstream's refs into the mirror; true if any changed. Refs that were deleted upstream stay, as in Flux v1,
 * unless `prune` is set.
 */
export function fetchMirror(prune: boolean): GitCommand<boolean> {
  const options = ["--tags", "--no-auto-maintenance", "--no-write-fetch-head", "--no-recurse-submodules"];
  return fromUpstream({
    args: ["fetch", ...options, ...(prune ? ["--prune"] : []), "origin"],
    doing: "git fetch --tags origin []",
    parse: ({ stdout, stderr }) => stdout !== "" || stderr !== "",
  });
}

/** Lists upstream's branches, to see whether it responds. */
export function listRemote(url: string): GitCommand<void> {
  return {
    ...fromUpstream(silent(["ls-remote", "--heads", "--", outside("git URL", url)])),
    prints: "listing",
  };
}

/** Lists all refs of a repository. */
export function listRefs(): GitCommand<Refs> {
  return {
    args: ["for-each-ref", `--format=${refFormat}`],
    prints: "listing",
    parse: ({ stdout }) => parseRefs(stdout),
  };
}

/** Repacks the objects of many fetches, if git considers it time for that. */
export function collectGarbage(): GitCommand<void> {
  return silent(["-c", "gc.auto=6700", "-c", "gc.autoDetach=false", "gc", "--auto", "--quiet"]);
}

/** Resolves any name of a commit. */
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
  /** Only list commits that touch one of these paths; all commits if empty. */
  readonly paths: readonly string[];
}

/** Lists commits, newest first. */
export function log({ range, paths }: LogQuery): GitCommand<readonly Commit[]> {
  const format = `--pretty=format:${commitFormat}`;
  return {
    args: ["--literal-pathspecs", "log", format, outside("git ref", range), "--", ...paths],
    prints: "history",
    parse: ({ stdout }) => parseCommits(stdout),
  };
}

/**
 * Lists the hashes of commits, newest first, as they are in the repository: refs/replace/* can make other commands show
 * another history than the one that's checked out.
 */
export function listCommits(range: string, firstParent: boolean): GitCommand<readonly string[]> {
  const options = ["--pretty=format:%H", ...(firstParent ? ["--first-parent"] : [])];
  return {
    args: ["--no-replace-objects", "log", ...options, outside("git ref", range), "--"],
    prints: "history",
    parse: ({ stdout }) => stdout.split("\n").filter((line) => line !== ""),
  };
}

/** Describes the newest commit up to `revision`; it's the commit itself if that's a hash. */
export function describeCommit(revision: string): GitCommand<CommitDetails | undefined> {
  return {
    args: ["log", "-1", "--no-patch", `--pretty=format:${detailsFormat}`, outside("git ref", revision), "--"],
    prints: "history",
    parse: ({ stdout }) => parseDetails(stdout),
  };
}

/** Some lines of a file in a revision. */
export interface LineRange {
  readonly revision: string;
  /** Relative to the root of the repository. */
  readonly path: string;
  /** Both counted from 1; `to` is included. */
  readonly from: number;
  readonly to: number;
}

/** Describes the last commit that changed any of the lines, or removed one between them. */
export function lastChange({ revision, path, from, to }: LineRange): GitCommand<CommitDetails | undefined> {
  const options = ["-1", "--no-patch", "--no-ext-diff", `--pretty=format:${detailsFormat}`];
  return {
    args: ["log", ...options, `-L${from},${to}:${path}`, outside("git ref", revision), "--"],
    prints: "history",
    parse: ({ stdout }) => parseDetails(stdout),
  };
}

/** Prints a file of a revision; undefined if there's none. */
export function showFile(revision: string, path: string): GitCommand<string | undefined> {
  return {
    args: ["cat-file", "blob", `${outside("git ref", revision)}:${path}`],
    prints: "listing",
    isAnswer: ({ stderr }) => /does not exist in|exists on disk, but not in|bad file/.test(stderr),
    parse: ({ stdout, exitCode }) => (exitCode === 0 ? stdout : undefined),
  };
}

/** Prints objects as they are stored, for parseObjects, and ignores refs/replace/*. */
export function readObjects(names: readonly string[], take: (bytes: Buffer) => void): GitCommand<void> {
  return {
    ...silent(["--no-replace-objects", "cat-file", "--batch"]),
    input: names.map((name) => `${name}\n`).join(""),
    prints: "listing",
    take: (bytes) => {
      take(bytes);
      return true;
    },
  };
}

/** Points the current branch to another commit, if it still points to `from`. */
export function moveHead(from: string, to: string): GitCommand<void> {
  return silent(["update-ref", "HEAD", outside("git ref", to), outside("git ref", from)], "git commit");
}

/** Lists the commits that have a note under `ref`. */
export function listNotes(ref: string): GitCommand<ReadonlySet<string>> {
  return {
    args: ["notes", `--ref=${ref}`, "list"],
    prints: "history",
    parse: ({ stdout }) => parseNoteList(stdout),
  };
}

/** Shows the note on a commit; undefined if there's none, which only git's message tells: its exit code is that of any error. */
export function showNote(ref: string, revision: string): GitCommand<string | undefined> {
  return {
    args: ["notes", `--ref=${ref}`, "show", outside("git ref", revision)],
    prints: "note",
    isAnswer: ({ stderr }) => stderr.toLowerCase().includes("no note found for object"),
    parse: ({ stdout, exitCode }) => (exitCode === 0 ? stdout : undefined),
  };
}

/** Lists all files and folders of a revision with their sizes. Git is stopped if they exceed a limit of the listing. */
export function listTree(revision: string, listing: TreeListing): GitCommand<void> {
  return {
    // A checkout doesn't see refs/replace/*, either: it's made in a clone, which doesn't have them.
    ...silent([
      "--no-replace-objects",
      "ls-tree",
      "-r",
      "-t",
      "-l",
      "-z",
      "--full-tree",
      outside("git ref", revision),
    ]),
    prints: "listing",
    take: (bytes) => listing.add(bytes),
  };
}

/**
 * True if git's own configuration gives one of these files an attribute, which may change its content when it's checked
 * out: the end of its lines, its encoding, or a filter. In a mirror, attributes in the repository itself don't count.
 */
export function hasAttributes(paths: readonly string[]): GitCommand<boolean> {
  return {
    args: ["check-attr", "-z", "--stdin", "--all"],
    input: paths.map((path) => `${path}\0`).join(""),
    prints: "listing",
    parse: ({ stdout }) => stdout !== "",
  };
}

/** True if git is configured to change the ends of lines in all text files. */
export function changesLineEnds(): GitCommand<boolean> {
  return {
    args: ["config", "--get", "core.autocrlf"],
    isAnswer: ({ exitCode, stderr }) => exitCode === 1 && stderr === "",
    parse: ({ stdout }) => !["", "false"].includes(stdout.trim()),
  };
}

/** How to make a clone that shares the mirror's objects. */
export interface SharedClone {
  readonly mirrorDir: string;
  readonly dir: string;
  /** The branch to check out. */
  readonly branch?: string;
  /** Settings for the clone's own configuration, as "key=value". */
  readonly config?: readonly string[];
}

/** Makes a clone without files that shares the mirror's objects. */
export function cloneShared({ mirrorDir, dir, branch, config = [] }: SharedClone): GitCommand<void> {
  const options = ["--shared", "--template=", "--no-checkout"];
  const head = branch === undefined ? [] : [`--branch=${branch}`];
  const settings = config.map((setting) => `--config=${setting}`);
  return silent(["clone", ...options, ...head, ...settings, "--", mirrorDir, dir], "git clone");
}

/** Writes the files of the clone's current commit. */
export function checkOutHead(): GitCommand<void> {
  return silent(["reset", "--quiet", "--hard"], "git clone");
}

/** Checks out a revision. */
export function checkOut(revision: string): GitCommand<void> {
  return silent(["checkout", "--quiet", "--force", "--detach", outside("git ref", revision), "--"]);
}

/** Checks out some paths of a revision: writes those that it has, and removes the others. */
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

/** Lists all files that a clone tracks. */
export function listFiles(): GitCommand<readonly string[]> {
  return {
    args: ["ls-files", "--cached", "-z"],
    prints: "listing",
    holdsPaths: true,
    parse: ({ stdout }) => stdout.split("\0").filter((path) => path !== ""),
  };
}

/** Lists the files below a path that a clone tracks, and those that it doesn't ignore. */
export function listWorkingFiles(path: string): GitCommand<readonly string[]> {
  const below = path === "" ? [] : [path];
  return {
    args: [
      "--literal-pathspecs",
      "ls-files",
      "--cached",
      "--others",
      "--exclude-standard",
      "-z",
      "--",
      ...below,
    ],
    prints: "listing",
    holdsPaths: true,
    parse: ({ stdout }) => stdout.split("\0").filter((path) => path !== ""),
  };
}

/** Finds the commit that a name stands for; undefined if there's none. */
export function commitOf(name: string): GitCommand<string | undefined> {
  return {
    args: ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`],
    isAnswer: ({ exitCode, stderr }) => exitCode === 1 && stderr === "",
    parse: ({ stdout, exitCode }) => (exitCode === 0 ? stdout.trim() : undefined),
  };
}

/** Finds the folder with the objects and refs of a clone, which worktrees share. */
export function commonDir(): GitCommand<string> {
  return { args: ["rev-parse", "--git-common-dir"], parse: ({ stdout }) => stdout.replace(/\n$/, "") };
}

/** Makes an empty repository. */
export function createEmpty(): GitCommand<void> {
  return silent(["init", "--quiet", "--template="]);
}

/** Stages all files of a clone, including untracked ones. */
export function addAll(): GitCommand<void> {
  return silent(["add", "--", "."]);
}

/** Makes git know files of a clone that it doesn't know yet, without their content: a commit of all changes adds them. */
export function intendToAdd(paths: readonly string[]): GitCommand<void> {
  return silent(["--literal-pathspecs", "add", "--intent-to-add", "--", ...paths]);
}

/**
 * True if tracked files were changed below `paths`, or anywhere if it's empty. As in Flux v1, a failure counts as a
 * change; the next command then reports the error.
 */
export function hasChanges(paths: readonly string[]): GitCommand<boolean> {
  return changesAgainst([], paths);
}

/** True if anything in the clone, including added files, differs from its last commit. */
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

/** Commits all changes of tracked files; the message comes from standard input. */
export function commitAll(message: string, author: string | undefined): GitCommand<void> {
  const who = author === undefined ? [] : [`--author=${author}`];
  return {
    ...silent(["commit", "--no-verify", "-a", "--file=-", ...who, "--"], "git commit"),
    input: message,
  };
}

/** A note to add to a commit. */
export interface NewNote {
  /** The ref of the notes. */
  readonly ref: string;
  readonly revision: string;
  readonly text: string;
  /** True to replace an existing note. */
  readonly replace?: boolean;
}

/** Adds a note to a commit. */
export function addNote({ ref, revision, text, replace = false }: NewNote): GitCommand<void> {
  const force = replace ? ["--force"] : [];
  return {
    ...silent(["notes", `--ref=${ref}`, "add", ...force, "--file=-", outside("git ref", revision)]),
    input: text,
  };
}

/** Lists the files that were changed since a revision and still exist, relative to the clone. */
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

/** Stores an annotated tag that no ref points to yet, and returns its ID. */
export function makeTag(text: string, tag: string): GitCommand<string> {
  return { args: ["mktag"], input: text, doing: `moving tag ${tag}`, parse: ({ stdout }) => stdout.trim() };
}

/** Points a tag upstream to an object, wherever it was before; the mirror follows. */
export function pushTag(tag: string, id: string): GitCommand<void> {
  const args = [...pushFromMirror, "--force", "origin", `${id}:${tagRef(tag)}`];
  return toUpstream(silent(args, "pushing tag to origin"));
}

/** Creates a new tag upstream; fails if it exists. */
export function pushNewTag(tag: string, id: string): GitCommand<void> {
  return toUpstream(silent([...pushFromMirror, "origin", `${id}:${tagRef(tag)}`], "attempt to push tag"));
}

/** Deletes a tag upstream; the mirror follows. */
export function deleteTag(tag: string): GitCommand<void> {
  return toUpstream(silent([...pushFromMirror, "--delete", "origin", tagRef(tag)]));
}

/** Otherwise, git pushes all refs or none to a remote that was cloned with --mirror. */
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

/** Refuses a value that's empty or that git would read as an option. */
export function outside(what: string, value: string): string {
  if (value === "" || value.startsWith("-")) {
    throw new RefusedError(
      `${what} ${JSON.stringify(value)} isn't allowed: it ${value === "" ? "is empty" : "starts with a dash"}`,
    );
  }
  return value;
}
