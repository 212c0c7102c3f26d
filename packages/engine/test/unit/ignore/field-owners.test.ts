import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fieldOwnersOf, ownerOfField } from "../../../src/ignore/field-owners.ts";
import type { JsonPath } from "../../../src/ignore/json-path.ts";

const object = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: {
    name: "web",
    finalizers: ["a", "b"],
    managedFields: [
      {
        manager: "applier",
        operation: "Apply",
        time: "2020-01-01T00:00:00Z",
        fieldsV1: {
          "f:metadata": { "f:name": {}, "f:finalizers": { 'v:"b"': {} } },
          "f:data": {},
          "f:spec": {
            "f:containers": { 'k:{"name":"main"}': { ".": {}, "f:name": {}, "f:image": {} } },
            "f:selector": {},
          },
        },
      },
      {
        manager: "scaler",
        operation: "Update",
        subresource: "scale",
        time: "2020-01-02T00:00:00Z",
        fieldsV1: { "f:spec": { "f:replicas": {} }, "f:data": { "f:pin": {} } },
      },
    ],
  },
  data: { pin: "x" },
  spec: {
    replicas: 3,
    selector: { app: "web" },
    containers: [{ name: "side" }, { name: "main", image: "app:1" }],
  },
};

function ownerOf(...path: JsonPath): string | undefined {
  return ownerOfField(fieldOwnersOf(object), path)?.manager;
}

describe("the owners of fields", () => {
  it("are found by names, keys, and values", () => {
    assert.equal(ownerOf("spec", "replicas"), "scaler");
    assert.equal(ownerOf("spec", "containers", 1, "image"), "applier");
    assert.equal(ownerOf("spec", "containers", 0, "image"), undefined);
    assert.equal(ownerOf("metadata", "finalizers", 1), "applier");
    assert.equal(ownerOf("metadata", "finalizers", 0), undefined);
    assert.equal(ownerOf("status"), undefined);
  });

  it("own all of what is one value, but not the members of a map that they only made", () => {
    assert.equal(ownerOf("spec", "selector", "app"), "applier");
    assert.equal(ownerOf("data", "pin"), "scaler");
    assert.equal(ownerOf("data"), "scaler");
  });

  it("come with how and when they wrote, the latest first", () => {
    assert.deepEqual(
      fieldOwnersOf(object).map(({ manager, operation, subresource, time }) => [
        manager,
        operation,
        subresource,
        time,
      ]),
      [
        ["scaler", "Update", "scale", "2020-01-02T00:00:00Z"],
        ["applier", "Apply", "", "2020-01-01T00:00:00Z"],
      ],
    );
    assert.deepEqual(fieldOwnersOf({ apiVersion: "v1", kind: "Pod", metadata: {} }), []);
  });
});
