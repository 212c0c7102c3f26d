import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { lacks, TempFolder } from "@weir/testing";
import { KeyImportError, Keyring } from "../../src/index.ts";
import { GnuPg } from "./support/gnupg.ts";

const data = Buffer.from("data");

describe("the home of gpg", { skip: lacks("gpg") }, () => {
  const gpg = new GnuPg();
  const algorithms = ["ed25519", "rsa2048", "dsa1024", "nistp256", "brainpoolP384r1"];

  before(async () => {
    for (const algorithm of algorithms) {
      const key = await gpg.makeKey({ userId: `${algorithm} <${algorithm}@example.test>`, algorithm });
      await gpg.addSubkey(key, { algorithm: algorithm === "dsa1024" ? "elg1024" : "cv25519", usage: "encr" });
    }
  });
  after(() => gpg[Symbol.asyncDispose]());

  it("has keys that verify, sign, and decrypt, and are trusted as there", async () => {
    await using stranger = new GnuPg();
    const other = await stranger.makeKey({ userId: "Other <other@example.test>", algorithm: "ed25519" });
    await gpg.run(["--import"], await stranger.run(["--export", other]));
    const keyring = new Keyring();

    const imported = await keyring.importHome(gpg.home);

    assert.deepEqual(
      imported.map(({ secret }) => secret),
      [...algorithms.map(() => true), false],
    );
    for (const algorithm of algorithms) {
      const user = `${algorithm}@example.test`;
      const signature = await (await keyring.signer(user)).sign(data);
      assert.equal((await keyring.verify({ data, signature })).status, "G");
      const message = await gpg.run(["--encrypt", "-r", user], data);
      assert.deepEqual(Buffer.from(await keyring.decrypt(message)), data);
    }
    const signature = await stranger.run(["--detach-sign"], data);
    assert.equal((await keyring.verify({ data, signature })).status, "U");
  });

  it("may have keys with a passphrase, which stay closed", async () => {
    await using owner = new GnuPg();
    const user = ["--quick-generate-key", "P <p@example.test>", "ed25519", "sign", "never"];
    await owner.run(["--passphrase", "hunter2", ...user]);
    const keyring = new Keyring();

    const [imported] = await keyring.importHome(owner.home);

    assert.equal(imported?.secret, false);
    await assert.rejects(keyring.signer("p@example.test"), /protected by a passphrase/);
  });

  it("may be missing, or damaged", async () => {
    using folder = new TempFolder();
    assert.deepEqual(await new Keyring().importHome(join(folder.path, "none")), []);
    assert.deepEqual(await new Keyring().importHome(folder.path), []);

    folder.write("pubring.kbx", "hello");
    folder.write("private-keys-v1.d/A.key", "(11:private-key");

    await assert.rejects(new Keyring().importHome(folder.path), (error) => {
      assert.ok(error instanceof KeyImportError);
      assert.match(error.message, /pubring\.kbx: it ends too early; .*A\.key: it ends too early/);
      return true;
    });
  });
});
