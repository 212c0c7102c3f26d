import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { deployFiles } from "../../scripts/deploy/files.ts";

const root = join(import.meta.dirname, "..", "..");

describe("deploy/", () => {
  it("holds what scripts/make-deploy.ts makes", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

    const kept = readdirSync(join(root, "deploy")).filter((name) => name.endsWith(".yaml"));
    const made = deployFiles(version);

    assert.deepEqual(kept.toSorted(), made.map(({ name }) => name).toSorted());
    for (const { name, content } of made) {
      assert.equal(readFileSync(join(root, "deploy", name), "utf8"), content, name);
    }
  });
});
