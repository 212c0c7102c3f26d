import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { deflateSync } from "node:zlib";
import { TempFolder } from "@weir/testing";
import { parseAllowedSigners, verifySshSignature } from "../../src/index.ts";

const start = promisify(execFile);

/** The time of commits, unless a case sets another: 2023-11-14 22:13:20 UTC. */
export const commitTime = 1_700_000_000;

/** A commit's signature and time, in seconds since 1970, and a file with allowed signers. */
export interface Case {
  readonly allowed: string;
  readonly signature: string;
  readonly at?: number;
}

/** How ssh-keygen signs. */
export interface SignOptions {
  readonly namespace?: string;
  readonly hash?: "sha256" | "sha512";
  readonly at?: number;
}

/** A case in files, for git and ssh-keygen. */
interface Trial {
  readonly payload: string;
  readonly signature: string;
  readonly allowedFile: string;
  readonly signatureFile: string;
  readonly at: number;
}

/** The text of a commit without its signature. */
export function commitText(at: number = commitTime): string {
  const people = ["author A <a@example.com> 1 +0000", `committer C <c@example.com> ${at} +0000`];
  return ["tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904", ...people, "", "Change", ""].join("\n");
}

/**
 * A git repository, keys, and the verdicts of git and ssh-keygen. All programs use the time zone of this process. ssh-keygen
 * mostly waits, so run cases concurrently.
 */
export class Lab implements Disposable {
  readonly #folder = new TempFolder();
  #trials = 0;

  constructor() {
    execFileSync("git", ["init", "--quiet"], { cwd: this.#folder.path });
  }

  /** Creates a key pair with ssh-keygen. Returns the public key. */
  createKey(name: string, ...args: readonly string[]): string {
    this.keygen(...args, "-q", "-N", "", "-C", "", "-f", name);
    return this.publicKey(name);
  }

  /** A certificate for a key. */
  certify(key: string, authority: string, ...args: readonly string[]): string {
    this.keygen("-q", "-s", authority, "-I", "id", ...args, `${key}.pub`);
    return this.publicKey(`${key}-cert`);
  }

  /** The type and the base64 text of a public key or a certificate. */
  publicKey(name: string): string {
    return this.readFile(`${name}.pub`).toString("latin1").trim().split(" ").slice(0, 2).join(" ");
  }

  /** Runs ssh-keygen in the folder with the keys. */
  keygen(...args: readonly string[]): void {
    execFileSync("ssh-keygen", args, { cwd: this.#folder.path });
  }

  readFile(name: string): Buffer {
    return readFileSync(join(this.#folder.path, name));
  }

  /** Writes a file that only its owner can read. Returns its path. */
  writeFile(name: string, text: string): string {
    return this.#folder.write(name, text);
  }

  /** The signature that ssh-keygen makes for the commit. */
  async sign(key: string, options: SignOptions = {}): Promise<string> {
    const { namespace = "git", hash = "sha512", at = commitTime } = options;
    const args = ["-Y", "sign", "-n", namespace, "-O", `hashalg=${hash}`, "-f", key];
    const { code, stdout, stderr } = await this.#run("ssh-keygen", args, commitText(at));
    assert.equal(code, 0, stderr);
    return stdout;
  }

  /** Fails unless our verdict is git's and fits ssh-keygen's. Returns git's `%G?` and, if there is one, `%GS`. */
  async check({ allowed, signature, at = commitTime }: Case): Promise<string> {
    const trial = this.#prepare({ allowed, signature, at });
    const request = { data: Buffer.from(trial.payload), signature, at: new Date(at * 1000) };

    const { status, key, signer, reason } = verifySshSignature(
      request,
      parseAllowedSigners(Buffer.from(allowed)),
    );

    assert.equal([status, key, signer ?? ""].join("|"), await this.#verdictOfGit(trial), reason);
    const principal = signer ?? (await this.#principalOfKeygen(trial)) ?? "nobody";
    assert.equal(status === "G", await this.#keygenVerifies(trial, principal), reason);
    assert.notEqual(reason, "");
    return signer === undefined ? status : `${status} ${signer}`;
  }

  #prepare({ allowed, signature, at }: Required<Case>): Trial {
    this.#trials++;
    const allowedFile = this.#folder.write(`allowed-${this.#trials}`, allowed);
    const signatureFile = this.#folder.write(`signature-${this.#trials}`, signature);
    return { payload: commitText(at), signature, allowedFile, signatureFile, at };
  }

  /** git's `%G?`, `%GK`, and `%GS`. */
  async #verdictOfGit({ payload, signature, allowedFile }: Trial): Promise<string> {
    const header = `gpgsig ${signature.replace(/\n$/, "").replaceAll("\n", "\n ")}`;
    const hash = this.#writeCommit(payload.replace("\n\n", `\n${header}\n\n`));
    const config = ["-c", `gpg.ssh.allowedSignersFile=${allowedFile}`];
    const args = [...config, "log", "-1", "--format=%G?|%GK|%GS", hash];
    let { code, stdout, stderr } = await this.#run("git", args);
    // git itself dies of SIGPIPE if ssh-keygen refuses a signature before git has written the commit.
    for (let again = 0; code === null && again < 20; again++) {
      ({ code, stdout, stderr } = await this.#run("git", args));
    }
    assert.equal(code, 0, stderr);
    return stdout.trimEnd();
  }

  /** As `git hash-object -w` does, but without starting a process. */
  #writeCommit(commit: string): string {
    const content = Buffer.from(commit);
    const object = Buffer.concat([Buffer.from(`commit ${content.length}\0`), content]);
    const hash = createHash("sha1").update(object).digest("hex");
    const file = join(this.#folder.path, ".git/objects", hash.slice(0, 2), hash.slice(2));
    if (!existsSync(file)) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, deflateSync(object));
    }
    return hash;
  }

  /** The first one, as git reads it. */
  async #principalOfKeygen({ allowedFile, signatureFile, at }: Trial): Promise<string | undefined> {
    const args = ["-Y", "find-principals", "-f", allowedFile, "-s", signatureFile, ...verifyTime(at)];
    const { code, stdout } = await this.#run("ssh-keygen", args);
    return code === 0 ? /^[^\r\n]+/.exec(stdout)?.[0] : undefined;
  }

  async #keygenVerifies(
    { payload, allowedFile, signatureFile, at }: Trial,
    principal: string,
  ): Promise<boolean> {
    const args = ["-Y", "verify", "-n", "git", "-f", allowedFile, "-s", signatureFile, "-I", principal];
    const { code } = await this.#run("ssh-keygen", [...args, ...verifyTime(at)], payload);
    return code === 0;
  }

  async #run(command: string, args: readonly string[], input = ""): Promise<Output> {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    const running = start(command, args, { cwd: this.#folder.path, env });
    running.child.stdin?.on("error", () => undefined).end(input);
    try {
      return { code: 0, ...(await running) };
    } catch (error) {
      const { code, stdout, stderr } = error as Output;
      return { code, stdout, stderr };
    }
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

interface Output {
  /** null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The option with which git tells ssh-keygen the time of a commit. It has none for the first second of 1970. */
function verifyTime(at: number): readonly string[] {
  const digits = new Date(at * 1000).toISOString().replaceAll(/[-:TZ]|\..*/g, "");
  return at === 0 ? [] : [`-Overify-time=${digits}Z`];
}
