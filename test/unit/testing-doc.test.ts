import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/testing.md"), "utf8");
const files = [...page.matchAll(/^\|.*\| `([^`]+\.test\.ts)` \|$/gm)].map(([, file = ""]) => file);

describe("docs/testing.md", () => {
  it("names files that there are, each for one promise", () => {
    assert.ok(files.length > 50);
    assert.deepEqual(
      files.filter((file) => !existsSync(join(root, file))),
      [],
    );
    assert.deepEqual(
      files.filter((file, index) => files.indexOf(file) !== index),
      [],
    );
  });
});
