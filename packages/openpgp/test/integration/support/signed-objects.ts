import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { GnuPg } from "./gnupg.ts";

const run = promisify(execFile);

/** What git says about a commit. */
export interface GitVerdict {
  /** `%G?` */
  readonly status: string;
  /** `%GK` */
  readonly key: string;
}

/** Commits and tags with given signatures in a repository of the real git. */
export class SignedObjects {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  static async create(path: string): Promise<SignedObjects> {
    await run("git", ["init", "--quiet", "--bare", path]);
    mkdirSync(join(path, "drafts"));
    return new SignedObjects(path);
  }

  /** What a commit consists of without its signature. */
  static commit(subject: string): string {
    const who = "A <a@example.test> 1700000000 +0000";
    return `tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor ${who}\ncommitter ${who}\n\n${subject}\n`;
  }

  /** What a tag of a commit consists of without its signature. */
  static tag(name: string, commit: string): string {
    return `object ${commit}\ntype commit\ntag ${name}\ntagger A <a@example.test> 1700000000 +0000\n\n${name}\n`;
  }

  /** Writes commits with the signatures in their headers; returns their hashes. */
  async writeCommits(
    commits: readonly { readonly payload: string; readonly signature: string }[],
  ): Promise<readonly string[]> {
    await this.#git(["hash-object", "-t", "tree", "-w", "--stdin"], "");
    return this.#write(
      "commit",
      commits.map(({ payload, signature }) => {
        const header = `gpgsig ${signature.trimEnd().replaceAll("\n", "\n ")}\n`;
        return payload.replace("\n\n", `\n${header}\n`);
      }),
    );
  }

  /** Writes tags that end with their signatures; returns their hashes. */
  writeTags(
    tags: readonly { readonly payload: string; readonly signature: string }[],
  ): Promise<readonly string[]> {
    return this.#write(
      "tag",
      tags.map(({ payload, signature }) => payload + signature),
    );
  }

  /** What git says about commits, with the keys of a gpg. */
  async verdicts(commits: readonly string[], gpg: GnuPg): Promise<readonly GitVerdict[]> {
    const args = ["log", "--no-walk=unsorted", "--stdin", "--format=%G?|%GK"];
    const output = await this.#git(args, commits.map((each) => `${each}\n`).join(""), gpg.env);
    return output
      .trimEnd()
      .split("\n")
      .map((line) => {
        const [status = "", key = ""] = line.split("|");
        return { status, key };
      });
  }

  /** Whether git accepts a tag, with the keys of a gpg. */
  async acceptsTag(tag: string, gpg: GnuPg): Promise<boolean> {
    try {
      await this.#git(["verify-tag", tag], "", gpg.env);
      return true;
    } catch {
      return false;
    }
  }

  async #write(type: string, contents: readonly string[]): Promise<readonly string[]> {
    const files = contents.map((content, index) => {
      const path = join(this.#path, "drafts", `${type}-${index}`);
      writeFileSync(path, content);
      return path;
    });
    const output = await this.#git(
      ["hash-object", "-t", type, "-w", "--stdin-paths"],
      `${files.join("\n")}\n`,
    );
    return output.trimEnd().split("\n");
  }

  async #git(args: readonly string[], input: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
    const running = run("git", ["-C", this.#path, ...args], { env });
    running.child.stdin?.end(input);
    return (await running).stdout;
  }
}
