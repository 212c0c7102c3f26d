import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Right } from "@weir/kube";
import { namespaceFinding, rightFindings } from "../../../../../cmd/fluxctl/check/before.ts";
import { neededToInstall } from "../../../../../cmd/fluxctl/check/install-rights.ts";

const rights = neededToInstall("flux");

function lacking(...resources: readonly string[]): readonly Right[] {
  return rights.filter(({ resource }) => resources.includes(resource));
}

describe("namespaceFinding", () => {
  for (const [isThere, lacks, verdict] of [
    [true, ["namespaces"], "passed"],
    [false, [], "warning"],
    [false, ["namespaces"], "failed"],
    [undefined, [], "warning"],
  ] as const) {
    it(`is ${verdict} where it is there: ${isThere}, and one lacks the right to ${lacks.join()}`, () => {
      assert.equal(namespaceFinding("flux", isThere, lacking(...lacks)).verdict, verdict);
    });
  }
});

describe("rightFindings", () => {
  function found(...resources: readonly string[]): readonly string[] {
    return rightFindings("flux", lacking(...resources)).map(({ verdict, found }) => `${verdict}: ${found}`);
  }

  it("are well where nothing lacks, and where only the namespace could not be made", () => {
    const well = [
      "passed: you can create fluxd's resources in namespace flux",
      "passed: you can give fluxd full access to the cluster, as `fluxctl install` does",
    ];

    assert.deepEqual(found(), well);
    assert.deepEqual(found("namespaces"), well);
  });

  it("name what one may not create", () => {
    assert.equal(
      found("secrets", "deployments")[0],
      "failed: you don't have permission to create secrets in flux, create deployments.apps in flux",
    );
  });

  it("know a way for those who may not permit everything", () => {
    const [, permissions] = rightFindings("flux", lacking("clusterroles", "*"));

    assert.equal(
      permissions?.found,
      "you don't have permission to create clusterroles.rbac.authorization.k8s.io in the whole cluster, do everything in the whole cluster",
    );
    assert.match(permissions.advice, /--least-privilege/);
  });
});
