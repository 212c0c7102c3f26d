import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { AllowedSignersError, AllowedSignersFile } from "../../src/index.ts";
import { SoftwareKey } from "../support/software-key.ts";

const signal = new AbortController().signal;
const key = new SoftwareKey("ed25519").publicKey;

describe("AllowedSignersFile", () => {
  it("reads what the file says now, and returns the same value until it changes", async () => {
    using folder = new TempFolder();
    const path = folder.write("allowed_signers", `dev ${key}\n`);
    const file = new AllowedSignersFile(path);

    const first = await file.read(signal);
    const second = await file.read(signal);
    writeFileSync(path, `ops ${key}\n`);
    const third = await file.read(signal);

    assert.deepEqual(
      first.signers.map(({ principals }) => principals),
      ["dev"],
    );
    assert.equal(second, first);
    assert.deepEqual(
      third.signers.map(({ principals }) => principals),
      ["ops"],
    );
  });

  it("names a file that can't be read, and what to do", async () => {
    using folder = new TempFolder();
    const path = `${folder.path}/missing`;

    await assert.rejects(new AllowedSignersFile(path).read(signal), {
      name: "AllowedSignersError",
      file: path,
      message: `allowed signers file ${path}: it doesn't exist; mount it, or correct its path`,
    });
  });

  it("refuses what isn't a file", async () => {
    for (const path of ["/dev/zero", "/"]) {
      await assert.rejects(new AllowedSignersFile(path).read(signal), AllowedSignersError);
    }
  });

  it("refuses a file that is too large", async () => {
    using folder = new TempFolder();
    const path = folder.write("large", " ".repeat(5 * 1024 * 1024));

    await assert.rejects(new AllowedSignersFile(path).read(signal), AllowedSignersError);
  });

  it("can be aborted", async () => {
    await assert.rejects(
      new AllowedSignersFile("/dev/zero").read(AbortSignal.abort(new Error("enough"))),
      /enough/,
    );
  });
});
