import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReleaseFacts } from "./refusals.ts";
import { versionOf } from "./set-version.ts";

/** What git knows of the commit that would be released. */
export interface HeadCommit {
  /** The full name. */
  readonly commit: string;
  /** When it was committed, in seconds since the epoch. */
  readonly sourceDate: number;
}

export function readFacts(root: string, version: string, out: string): ReleaseFacts {
  return {
    version,
    dirty: lines(git(root, "status", "--porcelain")),
    tags: lines(git(root, "tag", "--list")),
    changelog: readFileSync(join(root, "CHANGELOG.md"), "utf8"),
    packageVersion: versionOf(root),
    out,
    outExists: existsSync(out),
  };
}

export function readHead(root: string): HeadCommit {
  const [commit = "", seconds = ""] = git(root, "log", "-1", "--format=%H %ct").trim().split(" ");
  return { commit, sourceDate: Number(seconds) };
}

function git(root: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" });
}

function lines(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}
