import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import { describe, it } from "node:test";
import { type Entry, file, folder, link, type Tree } from "../../../../dev/release/images/tree/entry.ts";
import { readTar, writeTar } from "../../../../dev/release/images/tree/tar.ts";

const entries: readonly Entry[] = [
  file("usr/bin/su", "su", { mode: 0o4755, modified: 1_700_000_000 }),
  folder("usr/bin", { uid: 1000, gid: 1000 }),
  link("bin", "usr/bin"),
  { kind: "hard link", path: "usr/bin/su2", target: "usr/bin/su", uid: 0, gid: 0, modified: 0 },
  file(`usr/share/${"long/".repeat(60)}name`, "ü"),
];

function treeOf(list: readonly Entry[]): Tree {
  return new Map(list.map((entry) => [entry.path, entry]));
}

describe("an archive", () => {
  it("has what was put into it, by path", async () => {
    const read = await readTar(await buffer(writeTar(treeOf(entries))));

    assert.deepEqual(
      read,
      entries.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    );
  });

  it("is the same in whatever order its tree was made", async () => {
    const [one, other] = await Promise.all(
      [entries, entries.toReversed()].map((list) => buffer(writeTar(treeOf(list)))),
    );

    assert.ok(one && other?.equals(one));
  });
});
