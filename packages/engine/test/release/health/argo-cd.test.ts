import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isJsonObject } from "@weir/base";
import { gvkOf, type KubeObject } from "@weir/kube";
import { healthOf } from "../../../src/health/health.ts";
import { overrideFor } from "../../../src/health/overrides.ts";
import { luaHealthRules, readLuaScripts } from "../../../src/lua/index.ts";
import { argoFolder, type HealthCase, readHealthCases } from "../../support/health-cases.ts";

const folder = join(argoFolder(), "resource_customizations");
const scripts = await readLuaScripts(folder);
const cases = readHealthCases(folder);

const builtIn = ["AnalysisRun", "ApplicationSet", "CronWorkflow", "EventBus", "Experiment", "Rollout"];

describe("the health scripts of Argo CD", () => {
  const rules = luaHealthRules(scripts);

  it("are all there", () => {
    assert.ok(scripts.size > 200, `${scripts.size} scripts`);
    const kinds = new Set(cases.map(({ name }) => name.split(": ")[0]));
    assert.deepEqual([...kinds].sort(), [...scripts.keys()].sort());
  });

  for (const { name, live, status, message } of cases) {
    it(name, () => {
      const found = overrideFor(rules, gvkOf(live)).health?.(live) ?? { status: "", message: "" };

      assert.deepEqual(found, { status, message });
    });
  }
});

describe("the built-in rules for kinds of Argo", () => {
  for (const { name, live, status } of cases.filter(isBuiltIn)) {
    it(name, () => assert.equal(healthOf(live)?.status, status));
  }
});

/** Rollouts without a phase come from releases before 1.0. */
function isBuiltIn({ live }: HealthCase): boolean {
  const { group, kind } = gvkOf(live);
  return group === "argoproj.io" && builtIn.includes(kind) && (kind !== "Rollout" || hasPhase(live));
}

function hasPhase({ status }: KubeObject): boolean {
  return isJsonObject(status) && status["phase"] !== undefined;
}
