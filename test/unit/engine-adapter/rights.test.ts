import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ApiResource, printRight } from "@weir/kube";
import { lackingVerbs, neededRights, readRules } from "../../../src/engine-adapter/rights.ts";

function kind(resource: string, group: string, namespaced = true): ApiResource {
  return { group, version: "v1", kind: resource, resource, namespaced, verbs: [] };
}

const deployments = kind("deployments", "apps");
const namespaces = kind("namespaces", "", false);

function needed(allowed: readonly string[], prunes: boolean): readonly string[] {
  const synced = [
    { resource: deployments, namespace: "shop" },
    { resource: namespaces, namespace: "" },
  ];
  return neededRights(synced, [deployments], { allowedNamespaces: new Set(allowed), prunes }).map(printRight);
}

describe("neededRights", () => {
  it("are to write where git has something, and to watch everywhere", () => {
    assert.deepEqual(needed([], true), [
      "get, create, patch, delete deployments.apps in shop",
      "get, create, patch, delete namespaces in the whole cluster",
      "list, watch deployments.apps in the whole cluster",
      "list, watch namespaces in the whole cluster",
    ]);
  });

  it("are to watch the allowed namespaces only, and not to delete what is never pruned", () => {
    assert.deepEqual(needed(["shop", "web"], false), [
      "get, create, patch deployments.apps in shop",
      "get, create, patch namespaces in the whole cluster",
      "list, watch deployments.apps in shop",
      "list, watch deployments.apps in web",
      "list, watch namespaces in the whole cluster",
    ]);
  });
});

describe("lackingVerbs", () => {
  const right = { group: "apps", resource: "deployments", namespace: "shop", verbs: ["get", "patch"] };
  const rule = { verbs: ["get"], groups: ["apps"], resources: ["deployments"], names: [] };

  for (const [what, rules, lacking] of [
    ["everything without rules", [], ["get", "patch"]],
    ["what no rule permits", [rule], ["patch"]],
    ["nothing where rules permit it together", [rule, { ...rule, verbs: ["patch"] }], []],
    ["nothing where all is permitted", [{ ...rule, verbs: ["*"], groups: ["*"], resources: ["*"] }], []],
    ["what is permitted in another group", [{ ...rule, groups: ["extensions"] }], ["get", "patch"]],
    ["what is permitted for other kinds", [{ ...rule, resources: ["deployments/scale"] }], ["get", "patch"]],
    ["what is permitted by name only", [{ ...rule, names: ["one"] }], ["get", "patch"]],
  ] as const) {
    it(`are ${what}`, () => {
      assert.deepEqual(lackingVerbs(right, rules), lacking);
    });
  }
});

describe("readRules", () => {
  it("reads the answer of the API server, and nothing into another", () => {
    const resourceRules = [{ verbs: ["get"], apiGroups: [""], resources: ["pods"], resourceNames: ["a"] }];

    assert.deepEqual(readRules({ status: { resourceRules } }), [
      { verbs: ["get"], groups: [""], resources: ["pods"], names: ["a"] },
    ]);
    assert.deepEqual(readRules({ status: { resourceRules: [{ verbs: ["get"] }] } }), [
      { verbs: ["get"], groups: [], resources: [], names: [] },
    ]);
    assert.deepEqual(readRules({}), []);
    assert.deepEqual(readRules(null), []);
  });
});
