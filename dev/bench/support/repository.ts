import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A bare upstream, and a clone of it to commit in. */
export class BenchRepository {
  readonly url: string;
  readonly #bare: string;
  readonly #clone: string;

  constructor(folder: string) {
    this.#bare = join(folder, "upstream.git");
    this.#clone = join(folder, "clone");
    this.url = `file://${this.#bare}`;
    mkdirSync(folder, { recursive: true });
    this.#git(folder, "init", "-q", "--bare", "--initial-branch=master", this.#bare);
    this.#git(folder, "init", "-q", "--initial-branch=master", this.#clone);
  }

  /** Writes files (undefined deletes a file), commits, and pushes them. */
  push(files: ReadonlyMap<string, string | undefined>, message: string): void {
    for (const [path, text] of files) {
      const file = join(this.#clone, path);
      if (text === undefined) {
        rmSync(file);
      } else {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
    }
    this.#git(this.#clone, "add", "-A");
    const who = ["-c", "user.name=Bench", "-c", "user.email=bench@example.test"];
    this.#git(this.#clone, ...who, "commit", "-q", "-m", message);
    this.#git(this.#clone, "push", "-q", this.#bare, "HEAD:refs/heads/master");
  }

  /** The commit that the sync tag points to; "" if there is none. */
  synced(): string {
    try {
      return this.#git(this.#bare, "rev-parse", "--verify", "-q", "refs/tags/flux-sync^{commit}");
    } catch {
      return "";
    }
  }

  head(): string {
    return this.#git(this.#bare, "rev-parse", "refs/heads/master");
  }

  #git(cwd: string, ...args: readonly string[]): string {
    return execFileSync("git", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  }
}
