/**
 * What a change touches, compared with what had landed before: the commit that passed last on this machine, or else the
 * default branch of the remote, where this commit is ahead of it.
 */
import { execFileSync, type StdioOptions } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** A commit, and the paths that differ from it. */
export interface Change {
  readonly since: string;
  readonly paths: readonly string[];
}

/** Undefined where neither commit is known, as in a fresh clone on a fresh machine, or its history is missing. */
export function changeOf(root: string): Change | undefined {
  for (const since of [passedBefore(), remoteDefault(root)]) {
    const changed = since === undefined ? undefined : git(root, "diff", "--name-only", since, "HEAD");
    if (since !== undefined && changed !== undefined) {
      return { since, paths: changed.split("\n").filter(Boolean) };
    }
  }
  return undefined;
}

/** Notes that all checks of a commit have passed, for the next change. */
export function notePassedCommit(root: string): void {
  const head = git(root, "rev-parse", "HEAD");
  if (head !== undefined) {
    mkdirSync(dirname(noteFile()), { recursive: true });
    writeFileSync(noteFile(), `${head}\n`);
  }
}

function passedBefore(): string | undefined {
  try {
    return readFileSync(noteFile(), "utf8").trim();
  } catch {
    return undefined;
  }
}

/** In a clone of what is to be tested, that's this commit itself, which says nothing. */
function remoteDefault(root: string): string | undefined {
  const [remote, head] = [git(root, "rev-parse", "origin/HEAD"), git(root, "rev-parse", "HEAD")];
  return remote === head ? undefined : remote;
}

function noteFile(): string {
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "weir", "passed-commit");
}

/** What git prints; undefined if it fails. */
function git(root: string, ...args: readonly string[]): string | undefined {
  try {
    const stdio: StdioOptions = ["ignore", "pipe", "ignore"];
    return execFileSync("git", ["-C", root, ...args], { encoding: "utf8", stdio }).trim();
  } catch {
    return undefined;
  }
}
