import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PushedCommit } from "./tell-commits.ts";

const manifests = join(import.meta.dirname, "demo-repository");

/** The registry in the original manifests. */
const givenRegistry = "ghcr.io/example";

/** The git repository of the demo: a bare upstream, and a clone in which the user works. */
export class DemoRepository {
  readonly upstream: string;
  readonly clone: string;

  /** `registry` is the prefix of its image names. */
  constructor(folder: string, registry = givenRegistry) {
    this.upstream = join(folder, "config.git");
    this.clone = join(folder, "config");
    this.#git(folder, "init", "--quiet", "--bare", "--initial-branch=main", this.upstream);
    this.#git(folder, "init", "--quiet", "--initial-branch=main", this.clone);
    this.#git(this.clone, "remote", "add", "origin", this.upstream);
    this.#git(this.clone, "config", "user.name", "You");
    this.#git(this.clone, "config", "user.email", "you@example.com");
    cpSync(manifests, this.clone, { recursive: true });
    for (const name of this.#files()) {
      const path = join(this.clone, name);
      writeFileSync(path, readFileSync(path, "utf8").replaceAll(givenRegistry, registry));
    }
    this.push("Describe the shop");
  }

  get url(): string {
    return `file://${this.upstream}`;
  }

  /** The number of manifest files. */
  get files(): number {
    return this.#files().length;
  }

  /** Replaces text in a file, commits, and pushes. */
  edit(file: string, { from, to }: { readonly from: string; readonly to: string }, message: string): void {
    const path = join(this.clone, file);
    writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
    this.push(message);
  }

  /** Deletes a file, commits, and pushes. */
  remove(file: string, message: string): void {
    rmSync(join(this.clone, file));
    this.push(message);
  }

  push(message: string): void {
    this.#git(this.clone, "add", "--all");
    this.#git(this.clone, "commit", "--quiet", "--message", message);
    this.#git(this.clone, "push", "--quiet", "--set-upstream", "origin", "main");
  }

  /** Pulls the commits that others have pushed. */
  pull(): void {
    this.#git(this.clone, "pull", "--quiet", "--ff-only");
  }

  /** A short summary of the newest commit: author, subject, and changed lines. */
  newestCommit(): string {
    const title = this.#git(this.upstream, "log", "-1", "--format=commit %h by %an: %s", "main");
    const diff = this.#git(this.upstream, "diff", "--unified=0", "main~1", "main");
    return [title, ...diff.split("\n").filter((line) => /^[-+](?!--|\+\+)/.test(line))].join("\n");
  }

  /** The newest commit. */
  head(): string {
    return this.#git(this.upstream, "rev-parse", "main");
  }

  /** The commits on top of `from`, up to `to`, oldest first. */
  commitsBetween(from: string, to: string): readonly PushedCommit[] {
    const log = this.#git(this.upstream, "log", "--reverse", "--format=%H%x09%an%x09%s", `${from}..${to}`);
    return log
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [hash = "", author = "", ...subject] = line.split("\t");
        return { revision: hash, author, subject: subject.join("\t") };
      });
  }

  /** True if fluxd has synced everything that was pushed. */
  isSynced(): boolean {
    try {
      return this.#git(this.upstream, "rev-parse", "flux-sync^{commit}") === this.head();
    } catch {
      return false;
    }
  }

  #files(): readonly string[] {
    const names = readdirSync(this.clone, { recursive: true, encoding: "utf8" });
    return names.filter((name) => name.endsWith(".yaml"));
  }

  #git(cwd: string, ...args: readonly string[]): string {
    return execFileSync("git", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  }
}
