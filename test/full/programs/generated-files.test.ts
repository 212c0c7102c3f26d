import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lacks } from "@weir/testing";
import { generators } from "../../../scripts/generate/generators.ts";
import { staleFiles } from "../../support/stale-files.ts";

describe("npm run generate with Go", { skip: lacks("Go") }, () => {
  for (const { name, generate } of generators.filter(({ needsGo }) => needsGo === true)) {
    it(`has nothing new to write for ${name}`, async () => {
      assert.deepEqual(await staleFiles(generate), []);
    });
  }
});
