import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, describe, it } from "node:test";
import { SigningKeyError, sshSigner } from "../../src/index.ts";
import { commitText, Lab } from "../support/lab.ts";

describe("sshSigner", { concurrency: 4 }, () => {
  const lab = new Lab();
  after(() => lab[Symbol.dispose]());

  /** Whether a signature always has the same bytes. */
  const keys: readonly (readonly [name: string, constant: boolean, ...args: string[]])[] = [
    ["ed25519", true, "-t", "ed25519"],
    ["ecdsa256", false, "-t", "ecdsa", "-b", "256"],
    ["ecdsa384", false, "-t", "ecdsa", "-b", "384"],
    ["ecdsa521", false, "-t", "ecdsa", "-b", "521"],
    ["rsa2048", true, "-t", "rsa", "-b", "2048"],
    ["rsa1025", true, "-t", "rsa", "-b", "1025"],
    ["ecdsa256-in-pem", false, "-t", "ecdsa", "-b", "256", "-m", "PEM"],
    ["ecdsa384-in-pkcs8", false, "-t", "ecdsa", "-b", "384", "-m", "PKCS8"],
    ["rsa2048-in-pem", true, "-t", "rsa", "-b", "2048", "-m", "PEM"],
    ["rsa2048-in-pkcs8", true, "-t", "rsa", "-b", "2048", "-m", "PKCS8"],
  ];
  for (const [name, constant, ...args] of keys) {
    it(`signs with ${name} as ssh-keygen does`, async () => {
      const publicKey = lab.createKey(name, ...args);

      const signer = await sshSigner(lab.readFile(name), name);
      const signature = await signer.sign(Buffer.from(commitText()));

      assert.equal(await lab.check({ allowed: `dev ${signer.publicKey}`, signature }), "G dev");
      assert.equal(signer.publicKey, publicKey);
      if (constant) {
        assert.equal(signature, await lab.sign(name));
      }
    });
  }

  it("signs with Ed25519 in PKCS #8", async () => {
    const { privateKey } = generateKeyPairSync("ed25519");
    const pem = privateKey.export({ format: "pem", type: "pkcs8" });

    const signer = await sshSigner(Buffer.from(pem), "key.pem");
    const signature = await signer.sign(Buffer.from(commitText()));

    assert.equal(await lab.check({ allowed: `dev ${signer.publicKey}`, signature }), "G dev");
  });

  it("signs 200 times with ECDSA, whose numbers vary in length", async () => {
    lab.createKey("short", "-t", "ecdsa");
    const signer = await sshSigner(lab.readFile("short"), "short");

    for (let time = 0; time < 200; time++) {
      const signature = await signer.sign(Buffer.from(commitText()));
      if (time % 50 === 0) {
        assert.equal(await lab.check({ allowed: `dev ${signer.publicKey}`, signature }), "G dev");
      }
    }
  });

  it("reads a file with line breaks of Windows", async () => {
    lab.createKey("windows", "-t", "ed25519");
    const text = lab.readFile("windows").toString("latin1").replaceAll("\n", "\r\n");

    const signer = await sshSigner(Buffer.from(text), "windows");

    assert.equal(signer.publicKey, lab.publicKey("windows"));
  });

  for (const [name, ...args] of [
    ["openssh", "-t", "ed25519"],
    ["pem", "-t", "rsa", "-m", "PEM"],
    ["pkcs8", "-t", "rsa", "-m", "PKCS8"],
  ] as const) {
    it(`refuses a key with a passphrase in ${name}, and says how to remove it`, async () => {
      lab.keygen(...args, "-q", "-N", "correct horse", "-f", `protected-${name}`);
      const file = lab.readFile(`protected-${name}`);

      await assert.rejects(sshSigner(file, "/etc/key"), {
        name: "SigningKeyError",
        key: "/etc/key",
        message:
          "SSH signing key /etc/key: it is protected by a passphrase; remove it from a copy of the file with " +
          "'ssh-keygen -p -N \"\" -f COPY'",
      });
    });
  }

  it("refuses a public key, and says what to name instead", async () => {
    lab.createKey("public", "-t", "ed25519");

    await assert.rejects(sshSigner(lab.readFile("public.pub"), "public.pub"), {
      message: /public\.pub: it is a public key; name the file with the private key/,
    });
  });

  it("refuses damaged files without quoting them", async () => {
    lab.createKey("whole", "-t", "ed25519");
    const text = lab.readFile("whole").toString("latin1");
    const [first = "", ...lines] = text.trim().split("\n");
    const damaged = [
      text.slice(0, -40),
      [first, ...lines.slice(1)].join("\n"),
      text.replaceAll(/^b3/gm, "b4"),
      `${first}\n${lines.at(-1) ?? ""}\n`,
      text.replaceAll("OPENSSH PRIVATE", "PRIVATE"),
      "",
      "garbage",
    ];

    for (const file of damaged) {
      await assert.rejects(sshSigner(Buffer.from(file), "key"), (error) => {
        assert.ok(error instanceof SigningKeyError);
        assert.ok(!lines.slice(0, -1).some((line) => error.message.includes(line)));
        assert.equal(error.cause, undefined);
        return true;
      });
    }
  });
});
