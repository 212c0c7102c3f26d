import { execFile } from "node:child_process";
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { removeFolder } from "@weir/base/node";
import type { GitOptions } from "./repository.ts";

const run = promisify(execFile);

/** A folder of the real GnuPG, with keys that need no passphrase. */
export class GnuPg implements AsyncDisposable {
  /** For GNUPGHOME. */
  readonly home: string;

  private constructor(home: string) {
    this.home = home;
  }

  /** Makes the folder, and an Ed25519 key for each name, with the address name@example.test. */
  static async with(...names: readonly string[]): Promise<GnuPg> {
    // Short, because the agent's socket is in it.
    const gnupg = new GnuPg(await mkdtemp(join(tmpdir(), "gpg-")));
    await chmod(gnupg.home, 0o700);
    for (const name of names) {
      await gnupg.addKey(name);
    }
    return gnupg;
  }

  /** Makes a key for signing, such as "ed25519" or "rsa2048". */
  async addKey(name: string, algorithm = "ed25519", expires = "never"): Promise<void> {
    const user = `${name} <${name}@example.test>`;
    await this.gpg("--passphrase", "", "--quick-gen-key", user, algorithm, "sign", expires);
  }

  /** The secret key of a name, armored, as it's mounted for fluxd. */
  secretKey(name: string): Promise<string> {
    return this.gpg("--armor", "--export-secret-keys", `${name}@example.test`);
  }

  /** The public key of a name, armored. */
  publicKey(name: string): Promise<string> {
    return this.gpg("--armor", "--export", `${name}@example.test`);
  }

  /** Imports keys, and trusts them as Flux v1 does. */
  async trust(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.#run(["--import"], key);
    }
    const list = await this.gpg("--with-colons", "--list-keys");
    const primary = [...list.matchAll(/^pub:.*\nfpr:*([0-9A-F]+):/gm)].map(([, id = ""]) => `${id}:6:\n`);
    await this.#run(["--import-ownertrust"], primary.join(""));
  }

  /** What makes git sign with the key of a name, or use this folder to verify. */
  git(name?: string): GitOptions {
    const signing = [`user.signingKey=${name}@example.test`, "commit.gpgSign=true"];
    return { config: name === undefined ? [] : signing, env: { GNUPGHOME: this.home } };
  }

  /** Runs gpg; resolves to its standard output. */
  gpg(...args: readonly string[]): Promise<string> {
    return this.#run(args, "");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await run("gpgconf", ["--kill", "all"], { env: this.#env }).catch(() => undefined);
    await removeFolder(this.home);
  }

  get #env(): NodeJS.ProcessEnv {
    return { ...process.env, GNUPGHOME: this.home };
  }

  async #run(args: readonly string[], input: string): Promise<string> {
    const running = run("gpg", ["--batch", "--quiet", ...args], { env: this.#env });
    // gpg may end before it has read anything.
    running.child.stdin?.on("error", () => undefined).end(input);
    return (await running).stdout;
  }
}
