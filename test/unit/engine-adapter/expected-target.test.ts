import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type PolicySet, parseResourceId, type Resource } from "@weir/flux";
import { expectedTarget } from "../../../src/engine-adapter/expected-target.ts";

const everywhere: ReadonlySet<string> = new Set();

function configMap(namespace: string, policies: PolicySet = {}, data = "{}"): Resource {
  const bytes = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata: ${data}\n`;
  return { id: parseResourceId(`${namespace}:configmap/a`), source: "a.yaml", bytes, policies };
}

describe("a resource that is read", () => {
  it("is expected to become a target, unless its file says not to apply it", () => {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: {} };

    assert.deepEqual(expectedTarget(configMap("shop"), everywhere), { object, apply: true });
    assert.deepEqual(expectedTarget(configMap("<cluster>", { ignore: "true" }), everywhere), {
      object,
      apply: false,
    });
  });

  it("is not if it may be outside of the allowed namespaces", () => {
    const namespaces = ["shop", "other", "<cluster>"];

    const expected = namespaces.filter(
      (each) => expectedTarget(configMap(each), new Set(["shop"])) !== undefined,
    );

    assert.deepEqual(expected, ["shop"]);
  });

  it("is not if it can't be turned into an object", () => {
    assert.equal(expectedTarget(configMap("shop", {}, "{ a: .inf }"), everywhere), undefined);
  });
});
