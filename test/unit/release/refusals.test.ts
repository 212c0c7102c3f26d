import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ReleaseFacts, refusals } from "../../../dev/release/refusals.ts";

const released =
  "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-03-01)\n\n- Second.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n";
const facts: ReleaseFacts = {
  version: "0.2.0",
  dirty: [],
  tags: ["v0.1.0"],
  changelog: released,
  packageVersion: "0.2.0",
  out: "dist/release/0.2.0",
  outExists: false,
};

describe("a release", () => {
  it("is possible from a clean tree with an entry of a version that doesn't exist", () => {
    assert.deepEqual(refusals(facts), []);
    assert.deepEqual(
      refusals({
        ...facts,
        version: "0.3.0-rc.1",
        changelog: released.replace("ased\n", "ased\n\n- Third.\n"),
      }),
      [],
    );
  });

  it("is refused from a tree with changes, which it names", () => {
    const dirty = ["a", "b", "c", "d", "e", "f", "g"].map((name) => ` M ${name}.ts`);

    assert.deepEqual(refusals({ ...facts, dirty: dirty.slice(0, 1) }), [
      "the working tree differs from the commit: a.ts; commit or remove these changes first",
    ]);
    assert.deepEqual(refusals({ ...facts, dirty }), [
      "the working tree differs from the commit: a.ts, b.ts, c.ts, d.ts, e.ts and 2 more; commit or remove these changes first",
    ]);
  });

  it("is refused if the version exists as a tag, in the folder, or in the changelog", () => {
    assert.deepEqual(refusals({ ...facts, tags: ["v0.2.0"] }), [
      "0.2.0 exists: git has the tag v0.2.0; choose another version",
    ]);
    assert.deepEqual(refusals({ ...facts, tags: ["0.2.0"], outExists: true }), [
      "0.2.0 exists: git has the tag 0.2.0; choose another version",
      "0.2.0 exists in dist/release/0.2.0; remove that folder to build it again",
    ]);
    assert.deepEqual(refusals({ ...facts, version: "0.1.0", tags: [] }), [
      "0.1.0 exists: CHANGELOG.md has its entry, and package.json is at 0.2.0",
    ]);
  });

  it("is refused if nothing is new", () => {
    assert.deepEqual(refusals({ ...facts, version: "0.3.0" }), [
      'CHANGELOG.md says nothing of 0.3.0: write what is new below "## Unreleased"',
    ]);
  });

  for (const version of ["v0.2.0", "0.2", "0.2.0+1", "", "0.02.0", "../0.2.0", "latest"]) {
    it(`is refused for what isn't a version: "${version}"`, () => {
      assert.deepEqual(refusals({ ...facts, version }), [
        `"${version}" isn't a version: write it like 1.2.3 or 1.2.3-rc.1, without a "v"`,
      ]);
    });
  }
});
