import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { removeFolder } from "@weir/base/node";

const run = promisify(execFile);

const who = ["user.name=Dev", "user.email=dev@example.test"];

/** Nothing is tidied up in the background: there's never enough for that. */
const untidied = ["gc.auto=0", "maintenance.auto=false"];

/** Settings such as "user.signingKey=x", and variables such as GNUPGHOME, for git. */
export interface GitOptions {
  readonly config?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** A bare upstream with a clone beside it in which a test commits. */
export class TestRepository implements AsyncDisposable {
  readonly bare: string;
  readonly url: string;
  readonly #folder: string;
  readonly #clone: string;
  /** The commits of tags that were asked for, by the hash of the tag. */
  readonly #commits = new Map<string, string>();

  private constructor(folder: string) {
    this.#folder = folder;
    this.bare = join(folder, "upstream.git");
    this.#clone = join(folder, "clone");
    this.url = `file://${this.bare}`;
  }

  /** Makes an upstream whose first commit holds `files`. */
  static async create(
    files: Readonly<Record<string, string>>,
    options: GitOptions = {},
  ): Promise<TestRepository> {
    const repository = new TestRepository(await mkdtemp(join(tmpdir(), "weir-repo-")));
    await repository.#git(".", "init", "-q", "--bare", "--initial-branch=master", repository.bare);
    await appendFile(join(repository.bare, "config"), "[receive]\n\tautogc = false\n");
    await repository.#git(".", "init", "-q", "--initial-branch=master", repository.#clone);
    await repository.push(files, "initial", options);
    return repository;
  }

  /** Another upstream with the same history. Making one takes ten processes, and a copy takes none. */
  async copy(): Promise<TestRepository> {
    const copied = new TestRepository(await mkdtemp(join(tmpdir(), "weir-repo-")));
    await cp(this.#folder, copied.#folder, { recursive: true });
    return copied;
  }

  /** Writes files (null deletes), commits and pushes; resolves to the commit. */
  async push(
    files: Readonly<Record<string, string | null>>,
    message: string,
    options: GitOptions = {},
  ): Promise<string> {
    for (const [path, text] of Object.entries(files)) {
      const file = join(this.#clone, path);
      if (text === null) {
        await rm(file);
      } else {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, text);
      }
    }
    await this.#git(this.#clone, "add", "-A");
    await this.inClone(["commit", "-q", "--allow-empty", "-m", message], options);
    await this.#git(this.#clone, "push", "-q", "--force", this.bare, "HEAD:refs/heads/master");
    return this.#git(this.#clone, "rev-parse", "HEAD");
  }

  /** Runs git in the clone; resolves to what it prints. */
  async inClone(args: readonly string[], { config = [], env = {} }: GitOptions = {}): Promise<string> {
    const settings = [...who, ...untidied, ...config].flatMap((setting) => ["-c", setting]);
    const options = { cwd: this.#clone, env: { ...process.env, ...env } };
    return (await run("git", [...settings, ...args], options)).stdout.trim();
  }

  /** Brings what was pushed by others into the clone. */
  async pull(): Promise<void> {
    await this.#git(this.#clone, "fetch", "-q", this.bare, "master");
    await this.#git(this.#clone, "reset", "-q", "--hard", "FETCH_HEAD");
  }

  /** Runs git in the upstream. */
  upstream(...args: readonly string[]): Promise<string> {
    return this.#git(this.bare, ...args);
  }

  /** The commit that the sync tag is on, "" where there is none. It's cheap to ask again until the tag moves. */
  async synced(tag = "flux-sync"): Promise<string> {
    const name = `refs/tags/${tag}`;
    const hash = await readFile(join(this.bare, name), "utf8").catch(() => "");
    if (hash === "" && !existsSync(join(this.bare, "packed-refs"))) {
      return "";
    }
    const object = hash.trim() || name;
    const commit =
      this.#commits.get(object) ??
      (await this.upstream("rev-parse", "--verify", "-q", `${object}^{commit}`).catch(() => ""));
    if (object !== name && commit !== "") {
      this.#commits.set(object, commit);
    }
    return commit;
  }

  /** Where the clone's files are, for a test that makes other things than text files. */
  get workTree(): string {
    return this.#clone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await removeFolder(this.#folder);
  }

  async #git(cwd: string, ...args: readonly string[]): Promise<string> {
    const settings = who.flatMap((setting) => ["-c", setting]);
    const { stdout } = await run("git", [...settings, ...args], { cwd: cwd === "." ? this.#folder : cwd });
    return stdout.trim();
  }
}
