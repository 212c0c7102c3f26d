import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { cleanTree, notePassed, passOnce } from "../../../scripts/passed-checks.ts";

describe("what has passed", () => {
  let cache: TempFolder;
  let usual: string | undefined;
  before(() => {
    cache = new TempFolder();
    usual = process.env["XDG_CACHE_HOME"];
    process.env["XDG_CACHE_HOME"] = cache.path;
  });
  after(() => {
    if (usual === undefined) {
      delete process.env["XDG_CACHE_HOME"];
    } else {
      process.env["XDG_CACHE_HOME"] = usual;
    }
    cache[Symbol.dispose]();
  });

  const runs = async (name: string, tree: string | undefined): Promise<boolean> => {
    let ran = false;
    await passOnce(name, tree, () => Promise.resolve(void (ran = true)));
    return ran;
  };

  it("isn't checked again for the same files, if it takes long", async () => {
    assert.deepEqual([await runs("lint", "1"), await runs("lint", "1")], [true, false]);
    assert.deepEqual([await runs("lint", "2"), await runs("unit", "1")], [true, true]);
    assert.deepEqual([await runs("types", "1"), await runs("types", "1")], [true, true]);
    assert.deepEqual([await runs("lint", undefined), await runs("lint", undefined)], [true, true]);
  });

  it("isn't checked again after npm test", async () => {
    await notePassed("unit", "3");
    await notePassed("unit", undefined);

    assert.deepEqual([await runs("unit", "3"), await runs("unit", undefined)], [false, true]);
  });

  it("is nothing that failed", async () => {
    await assert.rejects(
      passOnce("lint", "4", () => Promise.reject(new Error("an error"))),
      { message: "an error" },
    );

    assert.equal(await runs("lint", "4"), true);
  });

  it("belongs to a commit, not to files that differ from it", () => {
    using folder = new TempFolder();
    const git = (...args: readonly string[]): string =>
      execFileSync(
        "git",
        ["-C", folder.path, "-c", "user.name=a", "-c", "user.email=a@example.com", ...args],
        {
          encoding: "utf8",
        },
      );
    assert.equal(cleanTree(folder.path), undefined);
    git("init", "--quiet");
    folder.write("a", "1");
    git("add", ".");
    git("commit", "--quiet", "--message=one");

    const tree = cleanTree(folder.path);
    folder.write("b", "2");

    assert.match(tree ?? "", /^[0-9a-f]{40}$/);
    assert.equal(cleanTree(folder.path), undefined);
  });
});
