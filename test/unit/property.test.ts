import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fc } from "@weir/testing/property";

const root = join(import.meta.dirname, "../..");

describe("property tests", () => {
  it("have a seed that no test takes away from those that run after it", () => {
    const exclude = (name: string): boolean => name.includes("node_modules");
    const files = globSync("{test,packages,dev}/**/*.ts", { cwd: root, exclude });

    const setting = files.filter((file) => {
      return /\bresetConfigureGlobal\(|\bconfigureGlobal\(/.test(readFileSync(join(root, file), "utf8"));
    });

    assert.deepEqual(setting, ["dev/testing/src/property.ts"]);
    assert.equal(typeof fc.readConfigureGlobal().seed, "number");
  });
});
