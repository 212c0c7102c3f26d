import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { lacks } from "@weir/testing";
import { isFresh } from "../../scripts/generate/generated-file.ts";
import { generators } from "../../scripts/generate/generators.ts";

const root = join(import.meta.dirname, "../..");

describe("npm run generate", () => {
  for (const { name, needsGo, generate } of generators) {
    it(`has nothing new to write for ${name}`, { skip: needsGo === true && lacks("Go") }, async () => {
      const files = await generate();

      const stale = files.filter((file) => !isFresh(file)).map(({ path }) => path);

      assert.deepEqual(stale, []);
    });
  }

  it("makes every manifest in deploy/", async () => {
    const deploy = generators.find(({ name }) => name === "deploy");

    const made = (await deploy?.generate())?.map(({ path }) => path) ?? [];
    const kept = readdirSync(join(root, "deploy")).filter((name) => name.endsWith(".yaml"));

    assert.deepEqual(kept.map((name) => join("deploy", name)).toSorted(), made.toSorted());
  });
});
