import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { RecordedLog, TempFolder } from "@weir/testing";
import { AllowedSignersError, AllowedSignersFile } from "../../cmd/fluxd/allowed-signers-file.ts";

const signal = new AbortController().signal;
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIQiev0Ors+80nqhycgJ3DtRn72Y1Z7TX/GBHPhjmt64";

describe("a file of allowed signers", () => {
  it("is what it was when it was read, whatever becomes of it", async () => {
    using folder = new TempFolder();
    const path = folder.write("allowed_signers", `dev ${key}\n`);
    const file = open(path, folder);

    const first = await file.read(signal);
    const same = await file.read(signal);
    writeFileSync(path, `ops ${key}\n`);
    const other = await file.read(signal);
    writeFileSync(path, `dev ${key}\n`);
    const again = await file.read(signal);

    assert.deepEqual([same, again], [first, first]);
    assert.notEqual(other.digest, first.digest);
    assert.equal(readFileSync(first.path, "utf8"), `dev ${key}\n`);
    assert.equal(readFileSync(other.path, "utf8"), `ops ${key}\n`);
  });

  it("is copied again when something removed the copy", async () => {
    using folder = new TempFolder();
    const path = folder.write("allowed_signers", `dev ${key}\n`);
    const file = new AllowedSignersFile({ path, folder: `${folder.path}/copies`, logger: new RecordedLog() });
    const first = await file.read(signal);
    rmSync(`${folder.path}/copies`, { recursive: true });

    assert.deepEqual(await file.read(signal), first);
    assert.equal(readFileSync(first.path, "utf8"), `dev ${key}\n`);
  });

  it("is logged once for each line that ssh-keygen ignores, with ssh-keygen's reason", async () => {
    using folder = new TempFolder();
    const log = new RecordedLog();
    const lines = [
      "# signers",
      "dev",
      `dev valid-before=tomorrow ${key}`,
      `dev ${key}`,
      `dev valid-before="x" ${key}`,
      "dev ssh-rsa AAAA",
    ];
    const path = folder.write("allowed_signers", lines.join("\n"));
    const file = new AllowedSignersFile({ path, folder: folder.path, logger: log });

    const { faulty } = await file.read(signal);
    await file.read(signal);

    assert.deepEqual([...faulty], [2, 3, 5, 6]);
    const mistakes = `line 2: missing key; line 3: bad options: missing start quote; line 5: bad options: invalid "valid-before" time; line 6: invalid key`;
    assert.deepEqual(log.lines, [`warning=ignoring lines of ${path} with mistakes err=${mistakes}`]);
  });

  it("that can't be read is named, with what to do", async () => {
    using folder = new TempFolder();
    const path = `${folder.path}/missing`;

    await assert.rejects(open(path, folder).read(signal), {
      name: "AllowedSignersError",
      file: path,
      message: `allowed signers file ${path}: it doesn't exist; mount it, or correct its path`,
    });
  });

  it("is a file, and not a large one", async () => {
    using folder = new TempFolder();
    const large = folder.write("large", " ".repeat(5 * 1024 * 1024));

    for (const path of ["/dev/zero", "/", large]) {
      await assert.rejects(open(path, folder).read(signal), AllowedSignersError);
    }
  });

  it("isn't read when that is aborted", async () => {
    using folder = new TempFolder();

    await assert.rejects(open("/dev/zero", folder).read(AbortSignal.abort(new Error("enough"))), /enough/);
  });
});

function open(path: string, folder: TempFolder): AllowedSignersFile {
  return new AllowedSignersFile({ path, folder: folder.path, logger: new RecordedLog() });
}
