import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { corePath, namespacePath, resourcePath } from "../../src/api-resource.ts";
import { isPlainPath, PathNameError } from "../../src/path-name.ts";

const configMaps = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  resource: "configmaps",
  namespaced: true,
  verbs: [],
};
const roles = {
  ...configMaps,
  group: "rbac.authorization.k8s.io",
  resource: "clusterroles",
  namespaced: false,
};

function refusal(make: () => string): string {
  try {
    return make();
  } catch (error) {
    assert.ok(error instanceof PathNameError);
    return error.message;
  }
}

describe("names in paths", () => {
  it("are written as they are, or with percent signs", () => {
    assert.equal(resourcePath(configMaps, "a", "b.c"), "/api/v1/namespaces/a/configmaps/b.c");
    assert.equal(
      resourcePath(roles, "", "system:a b"),
      "/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Aa%20b",
    );
    assert.equal(resourcePath(configMaps, ""), "/api/v1/configmaps");
  });

  it("are refused where the path could be taken for another, in client-go's words", () => {
    const names = [".", "..", "a/../b", "a%2fb", "%2e%2e/"];

    assert.deepEqual(
      names.map((name) => refusal(() => resourcePath(configMaps, "a", name))),
      [
        "invalid resource name \".\": [may not be '.']",
        "invalid resource name \"..\": [may not be '..']",
        "invalid resource name \"a/../b\": [may not contain '/']",
        "invalid resource name \"a%2fb\": [may not contain '%']",
        "invalid resource name \"%2e%2e/\": [may not contain '/' may not contain '%']",
      ],
    );
    assert.deepEqual(
      names.map((name) => refusal(() => resourcePath(configMaps, name)).slice(0, 20)),
      names.map((name) => `invalid namespace "${name}": [`.slice(0, 20)),
    );
  });

  it("are refused where there are none: the path would be that of all objects", () => {
    assert.equal(
      refusal(() => resourcePath(configMaps, "a", "")),
      "resource name may not be empty",
    );
    assert.equal(
      refusal(() => corePath("", "secrets", "a")),
      "resource name may not be empty",
    );
    assert.equal(
      refusal(() => resourcePath(configMaps, "", "a")),
      "an empty namespace may not be set when a resource name is provided",
    );
  });

  it("are looked at in every path of the core group", () => {
    for (const make of [
      () => namespacePath(".."),
      () => corePath("..", "pods"),
      () => corePath("a", "pods", ".."),
      () => corePath("a/b", "pods", "c"),
    ]) {
      assert.throws(make, PathNameError);
    }
  });
});

describe("isPlainPath", () => {
  it("finds dots that stand for a name, however they are written", () => {
    const paths = ["/api/v1/..", "/api/./v1", "/a/%2e%2E/b", "/a/.%2e", "/a/...", "/a/b.c/..d", "/version"];

    assert.deepEqual(paths.map(isPlainPath), [false, false, false, false, true, true, true]);
  });
});
