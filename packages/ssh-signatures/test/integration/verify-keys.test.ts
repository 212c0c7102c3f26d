import assert from "node:assert/strict";
import { createPrivateKey, sign } from "node:crypto";
import { after, describe, it } from "node:test";
import { wireString } from "../../src/wire.ts";
import { craft } from "../support/craft.ts";
import { commitText, Lab } from "../support/lab.ts";
import { SecurityKey } from "../support/security-key.ts";

describe("verifySshSignature judges keys as git and ssh-keygen do:", { concurrency: 4 }, () => {
  const lab = new Lab();
  after(() => lab[Symbol.dispose]());

  const keygenTypes: readonly (readonly [name: string, ...args: string[]])[] = [
    ["ed25519", "-t", "ed25519"],
    ["ecdsa256", "-t", "ecdsa", "-b", "256"],
    ["ecdsa384", "-t", "ecdsa", "-b", "384"],
    ["ecdsa521", "-t", "ecdsa", "-b", "521"],
    ["rsa1024", "-t", "rsa", "-b", "1024"],
    ["rsa2048", "-t", "rsa", "-b", "2048"],
    ["rsa4095", "-t", "rsa", "-b", "4095"],
  ];
  for (const [name, ...args] of keygenTypes) {
    it(name, async () => {
      const allowed = `dev@example.com ${lab.createKey(name, ...args)}\n`;

      assert.equal(await lab.check({ allowed, signature: await lab.sign(name) }), "G dev@example.com");
      assert.equal(
        await lab.check({ allowed, signature: await lab.sign(name, { hash: "sha256" }) }),
        "G dev@example.com",
      );
      assert.equal(await lab.check({ allowed, signature: await lab.sign(name, { at: 1 }) }), "B");
      assert.equal(await lab.check({ allowed: "", signature: await lab.sign(name) }), "U");
    });
  }

  const rsaAlgorithms: readonly (readonly [algorithm: string, hash: string, verdict: string])[] = [
    ["rsa-sha2-256", "sha256", "G rsa"],
    ["rsa-sha2-512", "sha512", "G rsa"],
    ["rsa-sha2-512", "sha256", "B"],
    ["ssh-rsa", "sha1", "B"],
    ["rsa-sha2-512-cert-v01@openssh.com", "sha512", "B"],
    ["ssh-ed25519", "sha512", "B"],
  ];
  for (const [algorithm, hash, verdict] of rsaAlgorithms) {
    it(`an RSA signature that is called ${algorithm} and has a hash of ${hash}`, async () => {
      const name = `${algorithm}-${hash}`;
      const publicKey = lab.createKey(name, "-t", "rsa", "-b", "2048", "-m", "PEM");
      const privateKey = createPrivateKey(lab.readFile(name));
      const signature = craft(publicKey, commitText(), (message) =>
        Buffer.concat([wireString(algorithm), wireString(sign(hash, message, privateKey))]),
      );

      assert.equal(await lab.check({ allowed: `rsa ${publicKey}`, signature }), verdict);
    });
  }

  for (const kind of ["ed25519", "ecdsa"] as const) {
    it(`a security key of type ${kind}`, async () => {
      const key = new SecurityKey(kind);
      const allowed = `dev ${key.publicKey()}`;
      const other = `dev ${key.publicKey("ssh:other")}`;

      assert.equal(await lab.check({ allowed, signature: key.sign(commitText()) }), "G dev");
      assert.equal(await lab.check({ allowed, signature: key.sign(commitText(), { flags: 0 }) }), "G dev");
      assert.equal(
        await lab.check({ allowed, signature: key.sign(commitText(), { claimedCounter: 8 }) }),
        "B",
      );
      assert.equal(await lab.check({ allowed, signature: key.sign(commitText(1)) }), "B");
      assert.equal(await lab.check({ allowed: other, signature: key.sign(commitText()) }), "U");
    });
  }

  it("a security key in a browser", async () => {
    const key = new SecurityKey("ecdsa");
    const allowed = `dev ${key.publicKey()}`;

    assert.equal(await lab.check({ allowed, signature: key.signInBrowser(commitText()) }), "G dev");
    assert.equal(await lab.check({ allowed, signature: key.signInBrowser(commitText(), 'a"b') }), "B");
    assert.equal(await lab.check({ allowed, signature: key.signInBrowser(commitText(1)) }), "B");
  });
});
