import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { UsageError } from "../../../../../cmd/fluxctl/command.ts";
import { type DiffFlags, diffModeOf } from "../../../../../cmd/fluxctl/diff/mode.ts";

const none: DiffFlags = {
  ref: "",
  local: "",
  offline: false,
  against: "",
  snapshot: "",
  saveSnapshot: "",
  runGenerators: false,
  settings: [],
};

describe("what fluxctl diff compares", () => {
  it("is what git has with the cluster, without flags", () => {
    assert.deepEqual(diffModeOf(none), { kind: "git", ref: "" });
    assert.deepEqual(diffModeOf({ ...none, ref: "main" }), { kind: "git", ref: "main" });
  });

  it("is a folder with the cluster, or with something else if it's offline", () => {
    const local = { ...none, local: "." };
    assert.deepEqual(diffModeOf(local), { kind: "local", dir: "." });
    assert.deepEqual(
      diffModeOf({ ...local, offline: true, against: "origin/main", snapshot: "s", settings: ["git-path"] }),
      { kind: "offline", dir: ".", against: "origin/main", snapshot: "s" },
    );
  });

  it("is nothing if a snapshot is saved", () => {
    assert.deepEqual(diffModeOf({ ...none, saveSnapshot: "s" }), { kind: "save", file: "s" });
  });

  const refused: readonly (readonly [string, Partial<DiffFlags>, RegExp])[] = [
    ["a folder and a commit", { local: ".", ref: "main" }, /--local and --ref can't be combined/],
    ["offline without a folder", { offline: true }, /--offline needs --local/],
    ["offline with fluxd's commit", { offline: true, local: ".", ref: "x" }, /--offline and --ref/],
    ["a base with a cluster", { local: ".", against: "main" }, /--against needs --offline/],
    ["settings with a cluster", { local: ".", settings: ["git-path"] }, /--git-path needs --offline/],
    ["generators of fluxd", { runGenerators: true }, /--run-generators needs --local/],
    ["a snapshot to save and to use", { saveSnapshot: "s", snapshot: "t" }, /--save-snapshot and --snapshot/],
  ];
  for (const [what, flags, message] of refused) {
    it(`can't be ${what}`, () => {
      assert.throws(
        () => diffModeOf({ ...none, ...flags }),
        (error) => error instanceof UsageError && message.test(error.message),
      );
    });
  }
});
