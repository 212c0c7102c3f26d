import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { silentLogger } from "@weir/base";
import { TempFolder } from "@weir/testing";
import { AllowedSignersFile } from "../../cmd/fluxd/allowed-signers-file.ts";
import type { SignatureVerifier } from "../../src/git/signature.ts";

/** SSH keys made by the real ssh-keygen, and a file that says which of them may sign. */
export class SshSigning implements Disposable {
  readonly #folder = new TempFolder();

  constructor(...names: readonly string[]) {
    for (const name of names) {
      this.make(name, "-t", "ed25519");
    }
  }

  /** Makes a key with more options for ssh-keygen; returns its path. */
  make(name: string, ...options: readonly string[]): string {
    const passphrase = options.includes("-N") ? [] : ["-N", ""];
    execFileSync("ssh-keygen", ["-q", ...passphrase, "-C", name, ...options, "-f", this.key(name)]);
    return this.key(name);
  }

  /** Writes a file beside the keys; returns its path. */
  write(name: string, text: string): string {
    return this.#folder.write(name, text);
  }

  read(name: string): string {
    return readFileSync(this.key(name), "utf8");
  }

  /** The path of a private key. */
  key(name: string): string {
    return join(this.#folder.path, name);
  }

  /** Writes the file that allows these keys to sign; returns its path. */
  allow(...names: readonly string[]): string {
    return this.allowLines(
      ...names.map((name) => `${name}@example.test namespaces="git" ${this.publicKey(name)}`),
    );
  }

  /** What fluxd verifies with a file of allowed signers. */
  verifier(path: string): SignatureVerifier {
    const folder = mkdtempSync(join(this.#folder.path, "signers-"));
    return {
      openpgp: { verify: () => Promise.reject(new Error("not expected")) },
      ssh: new AllowedSignersFile({ path, folder, logger: silentLogger }),
    };
  }

  /** Writes a file of allowed signers from lines; returns its path. */
  allowLines(...lines: readonly string[]): string {
    return this.#folder.write("allowed_signers", lines.map((line) => `${line}\n`).join(""));
  }

  /** The type and text of a public key, as in a file of allowed signers. */
  publicKey(name: string): string {
    return readFileSync(`${this.key(name)}.pub`, "utf8")
      .split(" ")
      .slice(0, 2)
      .join(" ");
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
