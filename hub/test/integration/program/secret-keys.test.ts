import assert from "node:assert/strict";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { openOwnSecretBox, openSecretBox } from "../../../src/program/secret-keys.ts";

describe("the key file", () => {
  it("is made once, for its owner only, and used from then on", async () => {
    using folder = new TempFolder();
    const file = join(folder.path, "key");

    const [first, second] = await Promise.all([openOwnSecretBox(file), openOwnSecretBox(file)]);
    const third = await openSecretBox(file);

    assert.equal(second.open(first.seal("hello", "me"), "me"), "hello");
    assert.equal(third.open(first.seal("hello", "me"), "me"), "hello");
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(Buffer.from(readFileSync(file, "utf8"), "base64").length, 32);
  });

  it("is refused if everybody can read it, if there's none, and if there's no key in it", async () => {
    using folder = new TempFolder();
    const file = join(folder.path, "key");

    await assert.rejects(openSecretBox(file), {
      name: "StartError",
      message: `cannot read the key file: open ${file}: no such file or directory: make one with \`openssl rand -base64 32\`, and name it with --secret-key-file`,
    });
    writeFileSync(file, "no key\n", { mode: 0o600 });
    await assert.rejects(openSecretBox(file), { name: "SecretBoxError" });
    await openOwnSecretBox(join(folder.path, "other"));
    chmodSync(join(folder.path, "other"), 0o644);
    await assert.rejects(openOwnSecretBox(join(folder.path, "other")), {
      name: "StartError",
      message: `everybody can read the key file ${join(folder.path, "other")}: run \`chmod o= ${join(folder.path, "other")}\``,
    });
  });
});
