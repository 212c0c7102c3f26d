import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deployKeyRules, parseGrant, workRules } from "../../../../../cmd/fluxctl/install/permissions.ts";

describe("parseGrant", () => {
  for (const [text, grant] of [
    ["limitranges", { group: "", resources: ["limitranges"] }],
    ["roles.rbac.authorization.k8s.io", { group: "rbac.authorization.k8s.io", resources: ["roles"] }],
    ["*.helm.fluxcd.io", { group: "helm.fluxcd.io", resources: ["*"] }],
    ["", undefined],
    ["Role", undefined],
    ["pods/exec", undefined],
    ["roles.", undefined],
    ["a b", undefined],
  ] as const) {
    it(`reads "${text}"`, () => {
      assert.deepEqual(parseGrant(text), grant);
    });
  }
});

describe("the least permissions", () => {
  it("hold nothing that would let fluxd give itself more", () => {
    const rules = [...workRules([]), ...deployKeyRules];

    const resources = rules.flatMap((rule) => rule.resources);
    const verbs = new Set(rules.flatMap((rule) => rule.verbs));

    for (const each of ["*", "roles", "rolebindings", "pods/exec", "serviceaccounts/token"]) {
      assert.ok(!resources.includes(each), each);
    }
    assert.deepEqual([...verbs].toSorted(), ["create", "delete", "get", "list", "patch", "update", "watch"]);
  });

  it("add what was granted", () => {
    const grant = { group: "helm.fluxcd.io", resources: ["helmreleases"] };

    assert.deepEqual(workRules([grant]).at(-1), {
      why: "to sync the granted kinds",
      ...grant,
      verbs: ["get", "list", "watch", "create", "update", "patch", "delete"],
    });
  });

  it("know no secret but the deploy key where fluxd lives", () => {
    assert.deepEqual(
      deployKeyRules.map(({ resources, names, verbs }) => ({ resources, names, verbs })),
      [{ resources: ["secrets"], names: ["flux-git-deploy"], verbs: ["get", "patch"] }],
    );
  });
});
