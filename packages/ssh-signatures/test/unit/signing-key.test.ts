import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, it } from "node:test";
import { checkKeyIsFile, SigningKeyError, sshSigner } from "../../src/index.ts";
import { wireString, wireUint32 } from "../../src/wire.ts";

describe("sshSigner refuses", () => {
  const unsuitable: readonly (readonly [name: string, key: KeyObject])[] = [
    ["a curve that SSH doesn't have", generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey],
    ["Ed448", generateKeyPairSync("ed448").privateKey],
    ["a key that can't sign", generateKeyPairSync("x25519").privateKey],
  ];
  for (const [name, key] of unsuitable) {
    it(name, async () => {
      const pem = key.export({ format: "pem", type: "pkcs8" });

      await assert.rejects(sshSigner(Buffer.from(pem), "key.pem"), {
        message: `SSH signing key key.pem: its type can't sign commits; create one with 'ssh-keygen -t ed25519 -N ""'`,
      });
    });
  }

  it("RSA keys that are too short", async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 768 });
    const pem = privateKey.export({ format: "pem", type: "pkcs1" });

    await assert.rejects(sshSigner(Buffer.from(pem), "key.pem"), {
      message: "SSH signing key key.pem: the file can't be used: its RSA key has fewer than 1024 bits",
    });
  });

  it("keys that are on a security key", async () => {
    const type = "sk-ssh-ed25519@openssh.com";
    const secret = Buffer.concat([wireUint32(1), wireUint32(1), wireString(type)]);
    const blob = Buffer.concat([
      Buffer.from("openssh-key-v1\0"),
      ...["none", "none", ""].map((field) => wireString(field)),
      wireUint32(1),
      wireString(""),
      wireString(secret),
    ]);
    const file = `-----BEGIN OPENSSH PRIVATE KEY-----\n${blob.toString("base64")}\n-----END OPENSSH PRIVATE KEY-----\n`;

    await assert.rejects(sshSigner(Buffer.from(file), "id_sk"), {
      message: /id_sk: it is on a security key, which works only when somebody touches it/,
    });
  });
});

describe("checkKeyIsFile", () => {
  for (const setting of [
    "key::ssh-ed25519 AAAA",
    "ssh-ed25519 AAAA",
    "ecdsa-sha2-nistp256 AAAA",
    "sk-ssh-ed25519 AAAA",
  ]) {
    it(`refuses ${setting}`, () => {
      assert.throws(() => checkKeyIsFile(setting), SigningKeyError);
    });
  }

  it("accepts paths", () => {
    checkKeyIsFile("/etc/ssh-keys/id_ed25519");
    checkKeyIsFile("ssh/key");
  });
});
