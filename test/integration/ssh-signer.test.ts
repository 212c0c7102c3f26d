import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { describe, it } from "node:test";
import { openSshSigner } from "../../cmd/fluxd/ssh-signer.ts";
import { SshSigning } from "../support/ssh-signing.ts";

describe("an SSH key that signs", () => {
  for (const type of ["ed25519", "ecdsa", "rsa"]) {
    it(`can be of type ${type}`, async () => {
      using keys = new SshSigning();
      const key = keys.make("dev", "-t", type);
      const signer = await openSshSigner(key);

      const signature = await signer.sign(Buffer.from("data"));

      assert.equal(signature.split("\n")[0], "-----BEGIN SSH SIGNATURE-----");
      assert.match(check(keys, signature, "data"), /^Good "git" signature with /);
      assert.throws(() => check(keys, signature, "other data"));
    });
  }

  it("has no passphrase, and nobody is asked for one", async () => {
    using keys = new SshSigning();
    const key = keys.make("protected", "-t", "ed25519", "-N", "correct horse");

    await assert.rejects(openSshSigner(key), {
      name: "SigningKeyError",
      key,
      message: `SSH signing key ${key}: it is protected by a passphrase; remove it from a copy of the file with 'ssh-keygen -p -N "" -f COPY'`,
    });
  });

  it("is in OpenSSH's format, and is the private one", async () => {
    using keys = new SshSigning();
    const pem = keys.make("pem", "-t", "rsa", "-m", "PEM");
    const publicKey = keys.write("public", keys.read("pem.pub"));
    rmSync(`${pem}.pub`);

    await assert.rejects(openSshSigner(pem), /it isn't a private key in OpenSSH's format; .* convert/);
    await assert.rejects(openSshSigner(publicKey), /ssh-keygen can't sign with it: /);
    await assert.rejects(openSshSigner(`${pem}.missing`), /open .*: no such file or directory/);
  });

  it("is for its owner only", async () => {
    using keys = new SshSigning();
    const key = keys.make("dev", "-t", "ed25519");
    chmodSync(key, 0o644);

    await assert.rejects(openSshSigner(key), /others can read it, .* defaultMode 0400/);
  });

  it("isn't quoted when it's damaged", async () => {
    using keys = new SshSigning("dev");
    const text = keys.read("dev");
    const [, line = ""] = text.split("\n");
    const damaged = keys.write("damaged", text.replace(line, line.toLowerCase()));

    await assert.rejects(openSshSigner(damaged), (error: Error) => {
      assert.ok(!error.message.includes(line.slice(0, 10).toLowerCase()));
      return error.name === "SigningKeyError";
    });
  });
});

function check(keys: SshSigning, signature: string, data: string): string {
  const file = keys.write("signature", signature);
  const args = ["-Y", "check-novalidate", "-n", "git", "-s", file];
  return execFileSync("ssh-keygen", args, { input: data, encoding: "utf8", stdio: "pipe" });
}
