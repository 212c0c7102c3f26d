import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kubeObject } from "@weir/testing";
import { leanObject } from "../../../src/rest/lean-object.ts";

const full = kubeObject`
  apiVersion: v1
  kind: ConfigMap
  metadata:
    managedFields: [{manager: kubectl}]
    name: a
    labels: {b: c}
  data: {key: value}
`;

describe("leanObject", () => {
  it("leaves out managedFields and nothing else, and the object as it was", () => {
    const lean = leanObject(full);

    assert.deepEqual(lean, { ...full, metadata: { name: "a", labels: { b: "c" } } });
    assert.deepEqual(full.metadata["managedFields"], [{ manager: "kubectl" }]);
  });

  it("is the object itself where there is nothing to leave out", () => {
    const lean = leanObject(full);

    assert.equal(leanObject(lean), lean);
  });
});
