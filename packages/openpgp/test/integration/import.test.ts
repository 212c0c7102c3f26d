import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { lacks } from "@weir/testing";
import { KeyImportError, Keyring } from "../../src/index.ts";
import { GnuPg } from "./support/gnupg.ts";

const data = Buffer.from("data");

describe("an import", { skip: lacks("gpg") }, () => {
  const gpg = new GnuPg();
  let one = "";
  let two = "";
  let armored = "";
  let binary: Buffer = Buffer.alloc(0);
  let signature = "";
  let certificate = "";

  before(async () => {
    one = await gpg.makeKey({ userId: "One <one@example.test>", algorithm: "ed25519" });
    two = await gpg.makeKey({ userId: "Two <two@example.test>", algorithm: "ed25519" });
    await gpg.addSubkey(two, { algorithm: "cv25519", usage: "encr" });
    armored = (await gpg.run(["--export-secret-keys", "--armor", one])).toString();
    binary = await gpg.run(["--export", one]);
    signature = (await gpg.run(["--detach-sign", "--armor", "-u", one], data)).toString();
    certificate = readFileSync(join(gpg.home, "openpgp-revocs.d", `${one}.rev`), "utf8").replace(
      ":-----",
      "-----",
    );
  });
  after(() => gpg[Symbol.asyncDispose]());

  async function statusIn(keyring: Keyring): Promise<string> {
    return (await keyring.verify({ data, signature })).status;
  }

  it("accepts binary and armored keys, also several at once, with text around them", async () => {
    const other = (await gpg.run(["--export", "--armor", two])).toString();
    const keyring = new Keyring();

    const imported = await keyring.import(
      Buffer.from(`Our keys\n\n${armored}\nand\n${other.replaceAll("\n", "\r\n")}`),
    );

    assert.deepEqual(imported, [
      { fingerprint: one, userIds: ["One <one@example.test>"], secret: true },
      { fingerprint: two, userIds: ["Two <two@example.test>"], secret: false },
    ]);
    const both = await new Keyring().import(await gpg.run(["--export", one, two]));
    assert.deepEqual(
      both.map(({ fingerprint }) => fingerprint),
      [one, two],
    );
  });

  it("merges what it knows of a key", async () => {
    const keyring = new Keyring();
    await keyring.import(binary);
    await assert.rejects(keyring.signer(one));

    await keyring.import(Buffer.from(armored));

    await keyring.signer(one);
    assert.equal(await statusIn(keyring), "U");
  });

  it("keeps nothing of the caller's bytes, which may be cleared", async () => {
    const keyring = new Keyring();
    for (const file of [Buffer.from(binary), Buffer.from(armored)]) {
      await keyring.import(file);
      file.fill(0);
    }

    assert.equal(await statusIn(keyring), "U");
    await keyring.signer(one);
  });

  it("trusts only when it's told to", async () => {
    const keyring = new Keyring();
    await keyring.import(binary);
    assert.equal(await statusIn(keyring), "U");

    keyring.trustAll();

    assert.equal(await statusIn(keyring), "G");
    await keyring.import(binary);
    assert.equal(await statusIn(keyring), "G");
  });

  it("applies revocation certificates, before or after the key in the same file, or in a later one", async () => {
    for (const files of [
      [binary, certificate],
      [`${certificate}\n${armored}`],
      [`${armored}\n${certificate}`],
    ]) {
      const keyring = new Keyring();
      for (const file of files) {
        await keyring.import(Buffer.from(file), { trusted: true });
      }
      assert.equal(await statusIn(keyring), "R");
    }
  });

  const broken: readonly [string, () => Buffer | string, RegExp][] = [
    ["nothing", () => "", /^no valid OpenPGP data found$/],
    ["something else", () => "apiVersion: v1\n", /^no valid OpenPGP data found$/],
    ["a signature", () => signature, /^no valid OpenPGP data found$/],
    ["half a key", () => binary.subarray(0, 100), /^it ends too early$/],
    ["half of armor", () => armored.slice(0, 300), /last line.* is missing/],
    ["armor with a wrong checksum", () => armored.replace(/\n=..../, "\n=AAAA"), /checksum doesn't match/],
    ["a certificate without its key", () => certificate, /so it can't be revoked/],
    ["something after the key", () => Buffer.concat([binary, Buffer.from("hello")]), /isn't OpenPGP data/],
  ];
  for (const [title, file, message] of broken) {
    it(`refuses ${title}, as gpg does`, async () => {
      const bytes = Buffer.from(file());
      await using stranger = new GnuPg();
      assert.notEqual((await stranger.try(["--import"], bytes)).code, 0);

      await assert.rejects(new Keyring().import(bytes), (error) => {
        assert.ok(error instanceof KeyImportError);
        assert.match(error.message, message);
        return true;
      });
    });
  }

  it("takes the public part of a key with a passphrase, and says so", async () => {
    await using owner = new GnuPg();
    const user = ["--quick-generate-key", "P <p@example.test>", "ed25519", "sign", "never"];
    await owner.run(["--passphrase", "hunter2", ...user]);
    const exported = await owner.run(["--passphrase", "hunter2", "--export-secret-keys", "--armor"]);
    const keyring = new Keyring();

    await assert.rejects(keyring.import(Buffer.from(`${exported.toString()}\n${armored}`)), (error) => {
      assert.ok(error instanceof KeyImportError);
      assert.match(error.message, /is protected by a passphrase, which nobody could enter: remove/);
      assert.deepEqual(
        error.imported.map(({ userIds }) => userIds[0]),
        ["P <p@example.test>", "One <one@example.test>"],
      );
      return true;
    });
    await assert.rejects(keyring.signer("p@example.test"), /No secret key\n.*is protected by a passphrase/);
    await keyring.signer(one);
  });

  it("refuses a key without user IDs", async () => {
    const keyOnly = binary.subarray(0, 53);

    await assert.rejects(new Keyring().import(keyOnly), /the key [0-9A-F]{16} has no user ID$/);
  });

  it("refuses a key from the future", async () => {
    await using owner = new GnuPg();
    await owner.makeKey({ userId: "F <f@example.test>", algorithm: "ed25519", at: "20900101T000000" });
    const exported = await owner.run(["--faked-system-time", "20900102T000000", "--export"]);

    await assert.rejects(new Keyring().import(exported), /was created in the future/);
  });
});
