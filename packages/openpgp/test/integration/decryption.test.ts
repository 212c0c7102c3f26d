import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { lacks } from "@weir/testing";
import { DecryptionError, Keyring } from "../../src/index.ts";
import { GnuPg } from "./support/gnupg.ts";

const secret = randomBytes(32);

describe("decryption", { skip: lacks("gpg") }, () => {
  const gpg = new GnuPg();
  const keyring = new Keyring();
  const subkeys = ["cv25519", "rsa2048", "elg1024", "nistp256", "nistp384", "nistp521", "brainpoolP256r1"];

  before(async () => {
    for (const algorithm of subkeys) {
      const key = await gpg.makeKey({
        userId: `${algorithm} <${algorithm}@example.test>`,
        algorithm: "ed25519",
      });
      await gpg.addSubkey(key, { algorithm, usage: "encr" });
    }
    const old = await gpg.makeKey({ userId: "old <old@example.test>", algorithm: "ed25519" });
    await gpg.addSubkey(old, { algorithm: "cv25519", usage: "encr", expires: "1y" });
    await keyring.import(await gpg.run(["--export-secret-keys"]));
  });
  after(() => gpg[Symbol.asyncDispose]());

  function encrypt(args: readonly string[], content: Uint8Array = secret): Promise<Buffer> {
    return gpg.run(["--encrypt", "--trust-model", "always", ...args], content);
  }

  for (const algorithm of subkeys) {
    it(`with ${algorithm}`, async () => {
      const to = ["-r", `${algorithm}@example.test`];
      for (const args of [to, [...to, "--armor"], [...to, "--throw-keyids"]]) {
        assert.deepEqual(Buffer.from(await keyring.decrypt(await encrypt(args))), secret);
      }
    });
  }

  it("of what is for several recipients, and whole files", async () => {
    const file = Buffer.from("line\r\nline\n".repeat(20_000));
    const message = await encrypt(["-r", "rsa2048@example.test", "-r", "cv25519@example.test"], file);

    assert.deepEqual(Buffer.from(await keyring.decrypt(message)), file);
  });

  for (const compression of ["none", "zip", "zlib", "bzip2"]) {
    it(`of ${compression} compression`, async () => {
      const content = Buffer.from("again and ".repeat(1_000));
      const message = await encrypt(["-r", "cv25519@example.test", "--compress-algo", compression], content);

      assert.deepEqual(Buffer.from(await keyring.decrypt(message)), content);
    });
  }

  for (const cipher of ["AES", "AES192", "AES256", "3DES", "CAST5", "BLOWFISH", "TWOFISH"]) {
    it(`of ${cipher}`, async () => {
      const message = await encrypt(["-r", "cv25519@example.test", "--cipher-algo", cipher]);

      assert.deepEqual(Buffer.from(await keyring.decrypt(message)), secret);
    });
  }

  it("with a key that has expired since", async () => {
    const message = await encrypt(["-r", "old@example.test", "--faked-system-time", "20230601T000000!"]);

    assert.deepEqual(Buffer.from(await keyring.decrypt(message)), secret);
  });

  it("refuses a message without integrity protection, like gpg", async () => {
    const message = await encrypt([
      "-r",
      "cv25519@example.test",
      "--rfc2440",
      "--cipher-algo",
      "AES",
      "--disable-mdc",
    ]);
    assert.notEqual((await gpg.try(["--decrypt"], message)).code, 0);

    await assert.rejects(keyring.decrypt(message), /no integrity protection/);
  });

  it("refuses a message that was changed", async () => {
    const message = await encrypt(["-r", "cv25519@example.test"]);
    message[message.length - 5] = (message.at(-5) ?? 0) ^ 1;

    await assert.rejects(keyring.decrypt(message), DecryptionError);
  });

  it("names the keys that could", async () => {
    await using stranger = new GnuPg();
    const key = await stranger.makeKey({ userId: "s <s@example.test>", algorithm: "ed25519" });
    await stranger.addSubkey(key, { algorithm: "cv25519", usage: "encr" });
    const [, subkey = ""] = await stranger.fingerprints(key);
    const message = await stranger.run(["--encrypt", "-r", key], secret);

    await assert.rejects(keyring.decrypt(message), (error) => {
      assert.ok(error instanceof DecryptionError);
      assert.deepEqual(error.recipients, [subkey.slice(-16)]);
      assert.match(
        error.message,
        new RegExp(`for the key ${subkey.slice(-16)}, and the keyring has no secret key`),
      );
      return true;
    });
    const anonymous = await stranger.run(["--encrypt", "--throw-keyids", "-r", key], secret);
    await assert.rejects(keyring.decrypt(anonymous), /recipients whom it doesn't name/);
  });

  it("refuses what isn't a message for a key", async () => {
    const withPassphrase = await gpg.run(["--symmetric", "--passphrase", "x"], secret);

    await assert.rejects(keyring.decrypt(withPassphrase), /isn't encrypted for a key/);
    await assert.rejects(keyring.decrypt(Buffer.from("hello")), /isn't an OpenPGP message/);
    await assert.rejects(keyring.decrypt(Buffer.alloc(0)), DecryptionError);
  });

  it("refuses a message that grows without end", async () => {
    const bomb = await encrypt(
      ["-r", "cv25519@example.test", "--compress-algo", "zlib"],
      Buffer.alloc(65 * 1024 * 1024),
    );

    await assert.rejects(keyring.decrypt(bomb), DecryptionError);
  });
});
