import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const manifests = join(import.meta.dirname, "repository");

/** The git repository of the demo: a bare upstream, and a clone in which its user works. */
export class DemoRepository {
  readonly upstream: string;
  readonly clone: string;

  constructor(folder: string) {
    this.upstream = join(folder, "config.git");
    this.clone = join(folder, "config");
    this.#git(folder, "init", "--quiet", "--bare", "--initial-branch=main", this.upstream);
    this.#git(folder, "init", "--quiet", "--initial-branch=main", this.clone);
    cpSync(manifests, this.clone, { recursive: true });
    this.push("Describe the shop");
  }

  get url(): string {
    return `file://${this.upstream}`;
  }

  /** How many manifest files there are. */
  get files(): number {
    return readdirSync(this.clone, { recursive: true }).filter((name) => String(name).endsWith(".yaml"))
      .length;
  }

  /** Changes a text in a file, commits and pushes. */
  edit(file: string, from: string, to: string, message: string): void {
    const path = join(this.clone, file);
    writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
    this.push(message);
  }

  /** Deletes a file, commits and pushes. */
  remove(file: string, message: string): void {
    rmSync(join(this.clone, file));
    this.push(message);
  }

  push(message: string): void {
    this.#git(this.clone, "add", "--all");
    const who = ["-c", "user.name=You", "-c", "user.email=you@example.com"];
    this.#git(this.clone, ...who, "commit", "--quiet", "--message", message);
    this.#git(this.clone, "push", "--quiet", this.upstream, "main");
  }

  /** The newest commit. */
  head(): string {
    return this.#git(this.upstream, "rev-parse", "main");
  }

  /** True where fluxd has synced all that was pushed. */
  isSynced(): boolean {
    try {
      return this.#git(this.upstream, "rev-parse", "flux-sync^{commit}") === this.head();
    } catch {
      return false;
    }
  }

  #git(cwd: string, ...args: readonly string[]): string {
    return execFileSync("git", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  }
}
