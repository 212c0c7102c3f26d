import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { keptBuild } from "../../src/index.ts";

describe("a build that is kept", () => {
  let cache: TempFolder;
  let before: string | undefined;

  beforeEach(() => {
    cache = new TempFolder();
    before = process.env["XDG_CACHE_HOME"];
    process.env["XDG_CACHE_HOME"] = cache.path;
  });

  afterEach(() => {
    if (before === undefined) {
      delete process.env["XDG_CACHE_HOME"];
    } else {
      process.env["XDG_CACHE_HOME"] = before;
    }
    cache[Symbol.dispose]();
  });

  const build = (hash: string, content: string): Promise<string> =>
    keptBuild({
      name: "program-test",
      hash,
      fill: (folder) => {
        writeFileSync(join(folder, "out"), content);
        return Promise.resolve();
      },
    });

  it("is made once for the same sources", async () => {
    const first = await build("1", "first");
    const again = await build("1", "again");
    const other = await build("2", "other");

    assert.equal(again, first);
    assert.deepEqual(
      [first, other].map((folder) => readFileSync(join(folder, "out"), "utf8")),
      ["first", "other"],
    );
  });

  it("is made once by callers at the same time", async () => {
    let made = 0;
    const fill = (): Promise<void> => Promise.resolve(void (made += 1));

    await Promise.all(Array.from({ length: 5 }, () => keptBuild({ name: "program-test", hash: "1", fill })));

    assert.equal(made, 1);
  });

  it("leaves nothing behind when it fails, and is made anew by the next call", async () => {
    const failing = keptBuild({
      name: "program-test",
      hash: "1",
      fill: () => Promise.reject(new Error("no compiler")),
    });

    await assert.rejects(failing, /no compiler/);
    assert.deepEqual(readdirSync(join(cache.path, "weir")), []);
    assert.equal(readFileSync(join(await build("1", "made"), "out"), "utf8"), "made");
  });

  it("is made although a process that died holds the lock", async () => {
    const folder = await build("1", "first");
    writeFileSync(`${folder.replace(/1$/, "2")}.lock`, "999999999");

    assert.equal(readFileSync(join(await build("2", "second"), "out"), "utf8"), "second");
  });
});
