import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { isManaged, selectorOf } from "../../../src/cache/managed-label.ts";

function labelled(labels: Readonly<Record<string, string>> | null): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", labels } };
}

describe("the managed label", () => {
  it("with a value asks for that value", () => {
    const label = { key: "example.com/owner", value: "us" };

    assert.equal(selectorOf(label), "example.com/owner=us");
    assert.deepEqual(
      [{ "example.com/owner": "us" }, { "example.com/owner": "them" }, {}].map((each) =>
        isManaged(labelled(each), label),
      ),
      [true, false, false],
    );
  });

  it("without a value asks for any", () => {
    const label = { key: "example.com/owner" };

    assert.equal(selectorOf(label), "example.com/owner");
    assert.deepEqual(
      [{ "example.com/owner": "" }, { other: "x" }, null].map((each) => isManaged(labelled(each), label)),
      [true, false, false],
    );
  });
});
