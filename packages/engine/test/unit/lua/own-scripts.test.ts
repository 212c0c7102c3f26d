import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gvkOf } from "@weir/kube";
import { overrideFor } from "../../../src/health/overrides.ts";
import { luaHealthRules, readLuaScripts } from "../../../src/lua/index.ts";
import { readHealthCases } from "../../support/health-cases.ts";

const folder = join(import.meta.dirname, "..", "..", "..", "health-scripts");
const scripts = await readLuaScripts(folder);
const cases = readHealthCases(folder);

describe("our health scripts", () => {
  const rules = luaHealthRules(scripts);

  it("all have cases", () => {
    const tested = new Set(cases.map(({ name }) => name.split(": ")[0]));
    assert.deepEqual([...tested].sort(), [...scripts.keys()].sort());
  });

  for (const { name, live, status, message } of cases) {
    it(name, () => {
      assert.deepEqual(overrideFor(rules, gvkOf(live)).health?.(live), { status, message });
    });
  }
});
