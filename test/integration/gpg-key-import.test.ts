import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Keyring } from "@weir/openpgp";
import { RecordedLog, TempFolder } from "@weir/testing";
import { importGpgKeys } from "../../cmd/fluxd/gpg-key-import.ts";
import { GnuPg } from "../support/gnupg.ts";

const data = Buffer.from("data");

/** What an import logs, and the status of a signature by the key of a name. */
async function importing(
  paths: readonly string[],
  trusted = true,
): Promise<{ readonly log: readonly string[]; readonly keyring: Keyring }> {
  const logger = new RecordedLog();
  const keyring = new Keyring();
  await importGpgKeys(keyring, { paths, trusted, logger });
  return { log: logger.lines, keyring };
}

async function statusOf(keyring: Keyring, name: string): Promise<string> {
  const signer = await keyring.signer(`${name}@example.test`);
  return (await keyring.verify({ data, signature: await signer.sign(data) })).status;
}

describe("an import of keys", () => {
  it("takes a file, and all files of a folder, but not those of folders in it, as in a mounted Secret", async () => {
    await using gnupg = await GnuPg.with("one", "two", "deep");
    using folder = new TempFolder();
    const one = folder.write("one.asc", await gnupg.secretKey("one"));
    folder.write("mounted/..2026/two.asc", await gnupg.secretKey("two"));
    folder.write("mounted/..2026/deep/deep.asc", await gnupg.secretKey("deep"));
    const mounted = join(folder.path, "mounted");
    symlinkSync("..2026", join(mounted, "..data"));
    symlinkSync(join("..data", "two.asc"), join(mounted, "two.asc"));

    const { log, keyring } = await importing([one, mounted]);

    assert.deepEqual(log, [
      `info=imported GPG key(s) from ${one} files=[one.asc]`,
      `info=imported GPG key(s) from ${mounted} files=[two.asc]`,
    ]);
    assert.deepEqual([await statusOf(keyring, "one"), await statusOf(keyring, "two")], ["G", "G"]);
    await assert.rejects(statusOf(keyring, "deep"));
  });

  it("doesn't trust keys unless signatures are verified", async () => {
    await using gnupg = await GnuPg.with("one");
    using folder = new TempFolder();
    const { keyring } = await importing([folder.write("one.asc", await gnupg.secretKey("one"))], false);

    assert.equal(await statusOf(keyring, "one"), "U");
  });

  it("doesn't trust the keys of a folder in which a file can't be imported, until another path can be", async () => {
    await using gnupg = await GnuPg.with("one", "two");
    using folder = new TempFolder();
    folder.write("keys/bad.asc", "not a key");
    folder.write("keys/one.asc", await gnupg.secretKey("one"));
    const two = folder.write("two.asc", await gnupg.secretKey("two"));
    const keys = join(folder.path, "keys");

    const alone = await importing([keys]);
    const both = await importing([keys, two]);

    assert.equal(
      alone.log[0]?.split(" reasons=")[0],
      `error=failed to import GPG key(s) from ${keys} err=errored importing keys: [bad.asc]`,
    );
    assert.deepEqual(alone.log.slice(1), [`info=imported GPG key(s) from ${keys} files=[one.asc]`]);
    assert.equal(await statusOf(alone.keyring, "one"), "U");
    assert.equal(await statusOf(both.keyring, "one"), "G");
  });

  it("only logs what's missing or empty", async () => {
    using folder = new TempFolder();
    const missing = join(folder.path, "missing");
    const empty = join(folder.path, "empty");
    mkdirSync(empty);

    const { log } = await importing([missing, empty]);

    assert.deepEqual(log, [
      `error=failed to import GPG key(s) from ${missing} err=stat ${missing}: no such file or directory`,
      `warning=no files with GPG keys in ${empty}`,
    ]);
  });
});
