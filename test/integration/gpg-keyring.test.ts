import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RecordedLog, TempFolder } from "@weir/testing";
import { gpgKeyringOnUse } from "../../cmd/fluxd/gpg-keyring.ts";
import { GnuPg } from "../support/gnupg.ts";

const data = Buffer.from("data");
const signatures = { verify: "none", signingKey: "", sshAllowedSigners: "" } as const;

describe("the OpenPGP keys of fluxd", () => {
  it("include those of a mounted GnuPG keyring, trusted if they are trusted there", async () => {
    await using gnupg = await GnuPg.with("mounted");
    using folder = new TempFolder();
    await using other = await GnuPg.with("imported");
    const file = folder.write("imported.asc", await other.secretKey("imported"));
    const logger = new RecordedLog();
    const open = gpgKeyringOnUse(
      { gpgKeyImport: [file], signatures },
      { env: { GNUPGHOME: gnupg.home }, logger },
    );

    const keyring = await open();

    assert.equal(await open(), keyring);
    assert.deepEqual(logger.lines, [
      `info=read the GnuPG keyring in ${gnupg.home} keys=1`,
      `info=imported GPG key(s) from ${file} files=[imported.asc]`,
    ]);
    const statuses = ["mounted", "imported"].map(async (name) => {
      const signer = await keyring.signer(`${name}@example.test`);
      return (await keyring.verify({ data, signature: await signer.sign(data) })).status;
    });
    assert.deepEqual(await Promise.all(statuses), ["G", "U"]);
  });

  it("can be none", async () => {
    using folder = new TempFolder();
    const logger = new RecordedLog();

    const keyring = await gpgKeyringOnUse(
      { gpgKeyImport: [], signatures },
      { env: { HOME: folder.path }, logger },
    )();

    assert.deepEqual(logger.lines, []);
    await assert.rejects(keyring.signer("mounted@example.test"), /No secret key/);
  });

  it("are not those of files that can't be read, which the log names", async () => {
    using folder = new TempFolder();
    folder.write(".gnupg/pubring.kbx/file", "");
    const logger = new RecordedLog();

    await gpgKeyringOnUse({ gpgKeyImport: [], signatures }, { env: { HOME: folder.path }, logger })();

    assert.match(
      logger.lines.join("\n"),
      /^error=cannot read all keys of the GnuPG keyring in .*\.gnupg err=.*pubring\.kbx/,
    );
  });
});
