import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TempFolder } from "@weir/testing";
import { parseAllowedSigners, verifySshSignature } from "../../src/index.ts";

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

/** The text of a commit without its signature. */
export function commitText(at: number = commitTime): string {
  const people = ["author A <a@example.com> 1 +0000", `committer C <c@example.com> ${at} +0000`];
  return ["tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904", ...people, "", "Change", ""].join("\n");
}

/** A git repository, keys, and the verdicts of git and ssh-keygen. All programs use the time zone of this process. */
export class Lab implements Disposable {
  readonly #folder = new TempFolder();

  constructor() {
    this.#succeed("git", ["init", "--quiet"]);
  }

  /** Creates a key pair with ssh-keygen. Returns the public key. */
  createKey(name: string, ...args: readonly string[]): string {
    this.keygen(...args, "-q", "-N", "", "-C", "", "-f", name);
    return this.publicKey(name);
  }

  /** Certifies a public key, and returns the certificate. It's in the file `NAME-cert.pub`. */
  certify(name: string, authority: string, ...args: readonly string[]): string {
    this.keygen("-q", "-s", authority, "-I", "id", ...args, `${name}.pub`);
    return this.publicKey(`${name}-cert`);
  }

  /** The type and the base64 text of a public key or a certificate. */
  publicKey(name: string): string {
    return this.readFile(`${name}.pub`).toString("latin1").trim().split(" ").slice(0, 2).join(" ");
  }

  keygen(...args: readonly string[]): string {
    return this.#succeed("ssh-keygen", args);
  }

  readFile(name: string): Buffer {
    return readFileSync(join(this.#folder.path, name));
  }

  /** Writes a file that only its owner can read. Returns its path. */
  writeFile(name: string, text: string): string {
    return this.#folder.write(name, text);
  }

  /** The signature that ssh-keygen makes for the commit. */
  sign(key: string, { namespace = "git", hash = "sha512", at = commitTime }: SignOptions = {}): string {
    const args = ["-Y", "sign", "-n", namespace, "-O", `hashalg=${hash}`, "-f", key];
    return this.#succeed("ssh-keygen", args, commitText(at));
  }

  /** Fails unless our verdict is git's and fits ssh-keygen's. Returns git's `%G?` and, if there is one, `%GS`. */
  check({ allowed, signature, at = commitTime }: Case): string {
    const payload = commitText(at);
    const signers = join(this.#folder.path, "allowed_signers");
    writeFileSync(signers, allowed);
    writeFileSync(join(this.#folder.path, "signature"), signature);
    const request = { data: Buffer.from(payload), signature, at: new Date(at * 1000) };

    const { status, key, signer, reason } = verifySshSignature(request, parseAllowedSigners(Buffer.from(allowed)));

    assert.equal([status, key, signer ?? ""].join("|"), this.#verdictOfGit(payload, signature), reason);
    const principal = signer ?? this.#principalOfKeygen(at) ?? "nobody";
    assert.equal(status === "G", this.#keygenVerifies(principal, payload, at), reason);
    assert.notEqual(reason, "");
    return signer === undefined ? status : `${status} ${signer}`;
  }

  /** git's `%G?`, `%GK`, and `%GS`. */
  #verdictOfGit(payload: string, signature: string): string {
    const header = `gpgsig ${signature.replace(/\n$/, "").replaceAll("\n", "\n ")}`;
    const commit = payload.replace("\n\n", `\n${header}\n\n`);
    const hash = this.#succeed("git", ["hash-object", "-t", "commit", "-w", "--stdin"], commit).trim();
    const config = ["-c", "gpg.ssh.allowedSignersFile=allowed_signers"];
    return this.#succeed("git", [...config, "log", "-1", "--format=%G?|%GK|%GS", hash]).trimEnd();
  }

  #principalOfKeygen(at: number): string | undefined {
    const args = ["-Y", "find-principals", "-f", "allowed_signers", "-s", "signature", ...verifyTime(at)];
    const { status, stdout } = this.#run("ssh-keygen", args);
    return status === 0 ? stdout.split("\n")[0] : undefined;
  }

  #keygenVerifies(principal: string, payload: string, at: number): boolean {
    const args = ["-Y", "verify", "-n", "git", "-f", "allowed_signers", "-s", "signature", "-I", principal];
    return this.#run("ssh-keygen", [...args, ...verifyTime(at)], payload).status === 0;
  }

  #succeed(command: string, args: readonly string[], input = ""): string {
    const { status, stdout, stderr } = this.#run(command, args, input);
    assert.equal(status, 0, `${command} ${args.join(" ")}: ${stderr}`);
    return stdout;
  }

  #run(command: string, args: readonly string[], input = ""): SpawnSyncReturns<string> {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    return spawnSync(command, args, { cwd: this.#folder.path, env, input, encoding: "utf8" });
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

/** The option with which git tells ssh-keygen the time of a commit. It has none for the first second of 1970. */
function verifyTime(at: number): readonly string[] {
  const digits = new Date(at * 1000).toISOString().replaceAll(/[-:TZ]|\..*/g, "");
  return at === 0 ? [] : [`-Overify-time=${digits}Z`];
}
