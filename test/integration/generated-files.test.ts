import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { generators } from "../../scripts/generate/generators.ts";
import { staleFiles } from "../support/stale-files.ts";

const root = join(import.meta.dirname, "../..");

describe("npm run generate", () => {
  for (const { name, generate } of generators.filter(({ needsGo }) => needsGo !== true)) {
    it(`has nothing new to write for ${name}`, async () => {
      assert.deepEqual(await staleFiles(generate), []);
    });
  }

  it("makes every manifest in deploy/", async () => {
    const deploy = generators.find(({ name }) => name === "deploy");

    const made = (await deploy?.generate())?.map(({ path }) => path) ?? [];
    const kept = readdirSync(join(root, "deploy")).filter((name) => name.endsWith(".yaml"));

    assert.deepEqual(kept.map((name) => join("deploy", name)).toSorted(), made.toSorted());
  });
});
