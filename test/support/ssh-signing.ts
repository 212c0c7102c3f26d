import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TempFolder } from "@weir/testing";

/** SSH keys made by the real ssh-keygen, and a file that says which of them may sign. */
export class SshSigning implements Disposable {
  readonly #folder = new TempFolder();

  constructor(...names: readonly string[]) {
    for (const name of names) {
      const options = ["-q", "-t", "ed25519", "-N", "", "-C", name];
      execFileSync("ssh-keygen", [...options, "-f", this.key(name)]);
    }
  }

  /** The path of a private key. */
  key(name: string): string {
    return join(this.#folder.path, name);
  }

  /** Writes the file that allows these keys to sign; returns its path. */
  allow(...names: readonly string[]): string {
    const lines = names.map(
      (name) => `${name}@example.test namespaces="git" ${readFileSync(`${this.key(name)}.pub`, "utf8")}`,
    );
    return this.#folder.write("allowed_signers", lines.join(""));
  }

  /** The settings for the real git to sign with a key, or to verify. */
  config(name?: string): readonly string[] {
    return [
      "gpg.format=ssh",
      `gpg.ssh.allowedSignersFile=${join(this.#folder.path, "allowed_signers")}`,
      ...(name === undefined ? [] : [`user.signingKey=${this.key(name)}`]),
    ];
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}
