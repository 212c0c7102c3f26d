import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { changedPaths } from "../../../src/git/tree.ts";

describe("the paths that two commits have differently", () => {
  const entry = (path: string, mode: string, id: string) => ({ path, mode, id });

  it("are those of new, changed and removed files", () => {
    const before = [
      entry("same", "100644", "1"),
      entry("content", "100644", "1"),
      entry("mode", "100644", "1"),
      entry("folder", "100644", "1"),
    ];
    const after = [
      entry("same", "100644", "1"),
      entry("content", "100644", "2"),
      entry("mode", "100755", "1"),
      entry("folder/new", "100644", "1"),
    ];

    assert.deepEqual(changedPaths(before, after), ["content", "mode", "folder/new", "folder"]);
    assert.deepEqual(changedPaths(after, after), []);
    assert.deepEqual(changedPaths([], after), ["same", "content", "mode", "folder/new"]);
  });
});
