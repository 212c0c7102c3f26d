import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc, runs } from "@weir/testing/property";
import { TreeListing } from "../../../src/git/tree-listing.ts";

const id = "a".repeat(40);
const limits = { listing: 1_000, files: 3, content: 100, path: 20 };

type Line = readonly [mode: string, size: string, path: string];

describe("the tree of a commit", () => {
  it("has its files by path, without folders, and the size of all", () => {
    const listing = listed(
      ["100644 blob", "3", "a\tb\n c"],
      ["040000 tree", "-", "sub"],
      ["160000 commit", "-", "m"],
    );

    assert.deepEqual(listing.entries(), [
      { path: "a\tb\n c", mode: "100644", id, size: 3 },
      { path: "m", mode: "160000", id, size: 0 },
    ]);
    assert.equal(listing.content, 3);
    assert.equal(listing.fault, undefined);
  });

  it("may not have more files and folders than the limit", () => {
    const four = Array.from({ length: 4 }, (_, i) => ["040000 tree", "-", `f${i}`] as const);

    assert.deepEqual(listed(...four).fault, { kind: "files" });
  });

  it("may not have more content than the limit; the largest file is told", () => {
    const listing = listed(["100644 blob", "40", "a"], ["100644 blob", "61", "b"]);

    assert.deepEqual(listing.fault, { kind: "content", largest: "b", size: 61 });
  });

  it("may not have a longer path than the limit, in bytes", () => {
    assert.deepEqual(listed(["100644 blob", "1", "ä".repeat(11)]).fault, {
      kind: "path",
      path: "ä".repeat(11),
    });
    assert.equal(listed(["100644 blob", "1", "ä".repeat(10)]).fault, undefined);
  });

  it("may not have a longer list than the limit, after which nothing more is taken", () => {
    const listing = new TreeListing({ ...limits, listing: 100 });
    const bytes = print(["100644 blob", "1", "a"]);

    assert.equal(listing.add(bytes), true);
    assert.equal(listing.add(bytes), false);
    assert.equal(listing.add(bytes), false);
    assert.deepEqual([listing.fault, listing.entries()], [{ kind: "listing" }, []]);
  });

  it("is the same however its list is cut, and judged by what it holds", () => {
    const file = fc.record({
      path: fc.string({ unit: "binary", minLength: 1, maxLength: 25 }).filter((path) => !path.includes("\0")),
      size: fc.nat({ max: 60 }),
    });

    fc.assert(
      fc.property(fc.array(file, { maxLength: 5 }), fc.integer({ min: 1, max: 90 }), (files, step) => {
        const bytes = print(...files.map(({ path, size }) => ["100644 blob", `${size}`, path] as const));
        const listing = new TreeListing(limits);
        for (let at = 0; at < bytes.length && listing.add(bytes.subarray(at, at + step)); at += step) {}

        const isSound =
          files.length <= limits.files &&
          files.reduce((sum, { size }) => sum + size, 0) <= limits.content &&
          files.every(({ path }) => Buffer.byteLength(path) <= limits.path);
        assert.equal(listing.fault === undefined, isSound);
        if (isSound) {
          assert.deepEqual(
            listing.entries().map(({ path }) => path),
            files.map(({ path }) => path),
          );
        }
      }),
      runs(1_000),
    );
  });
});

function listed(...lines: readonly Line[]): TreeListing {
  const listing = new TreeListing(limits);
  listing.add(print(...lines));
  return listing;
}

/** As `git ls-tree -r -t -l -z` prints it. */
function print(...lines: readonly Line[]): Buffer {
  return Buffer.from(
    lines.map(([mode, size, path]) => `${mode} ${id} ${size.padStart(7)}\t${path}\0`).join(""),
  );
}
