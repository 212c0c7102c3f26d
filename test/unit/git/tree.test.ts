import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { faultOfTree, parseTree } from "../../../src/git/tree.ts";

const id = "a".repeat(40);
const limits = { listing: 1_000, files: 3, content: 100, path: 20 };

describe("the tree of a commit", () => {
  it("has its files by path, without folders, and the size of all", () => {
    const listing = list(
      ["100644 blob", "3", "a\tb\n c"],
      ["040000 tree", "-", "sub"],
      ["160000 commit", "-", "m"],
    );

    assert.deepEqual(parseTree(listing), {
      entries: [
        { path: "a\tb\n c", mode: "100644", id },
        { path: "m", mode: "160000", id },
      ],
      content: 3,
    });
    assert.equal(faultOfTree(listing, limits), undefined);
  });

  it("may not have more files and folders than the limit", () => {
    const four = Array.from({ length: 4 }, (_, i) => ["040000 tree", "-", `f${i}`] as const);

    assert.deepEqual(faultOfTree(list(...four), limits), { kind: "files" });
  });

  it("may not have more content than the limit; the largest file is told", () => {
    const listing = list(["100644 blob", "40", "a"], ["100644 blob", "61", "b"]);

    assert.deepEqual(faultOfTree(listing, limits), { kind: "content", largest: "b", size: 61 });
  });

  it("may not have a longer path than the limit, in bytes", () => {
    assert.deepEqual(faultOfTree(list(["100644 blob", "1", "ä".repeat(11)]), limits), {
      kind: "path",
      path: "ä".repeat(11),
    });
    assert.equal(faultOfTree(list(["100644 blob", "1", "ä".repeat(10)]), limits), undefined);
  });

  it("is judged by what it holds, whatever that is", () => {
    const file = fc.record({
      path: fc.string({ unit: "binary", minLength: 1, maxLength: 25 }).filter((path) => !path.includes("\0")),
      size: fc.nat({ max: 60 }),
    });

    fc.assert(
      fc.property(fc.array(file, { maxLength: 5 }), (files) => {
        const fault = faultOfTree(
          list(...files.map(({ path, size }) => ["100644 blob", `${size}`, path] as const)),
          limits,
        );

        const isSound =
          files.length <= limits.files &&
          files.reduce((sum, { size }) => sum + size, 0) <= limits.content &&
          files.every(({ path }) => Buffer.byteLength(path) <= limits.path);
        assert.equal(fault === undefined, isSound);
      }),
      { seed: 11, numRuns: 1_000 },
    );
  });
});

/** As `git ls-tree -r -t -l -z` prints it. */
function list(...files: readonly (readonly [string, string, string])[]): string {
  return files.map(([mode, size, path]) => `${mode} ${id} ${size.padStart(7)}\t${path}\0`).join("");
}
