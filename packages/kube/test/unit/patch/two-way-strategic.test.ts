import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { schemaOf } from "@weir/testing";
import { createTwoWayStrategicPatch } from "../../../src/patch/two-way-strategic.ts";

const deployment = schemaOf("apps/v1", "Deployment");

describe("createTwoWayStrategicPatch", () => {
  it("is empty where nothing differs", () => {
    const object = { spec: { replicas: 1, template: { spec: { containers: [{ name: "a" }] } } } };

    assert.deepEqual(createTwoWayStrategicPatch(object, structuredClone(object), deployment), {});
  });

  it("has changes, additions and deletions in one", () => {
    const original = {
      spec: { replicas: 1, paused: true, template: { spec: { containers: [{ name: "a" }] } } },
    };
    const modified = {
      spec: { replicas: 2, template: { spec: { containers: [{ name: "b", image: "x" }] } } },
    };

    assert.deepEqual(createTwoWayStrategicPatch(original, modified, deployment), {
      spec: {
        paused: null,
        replicas: 2,
        template: {
          spec: {
            "$setElementOrder/containers": [{ name: "b" }],
            containers: [
              { name: "b", image: "x" },
              { name: "a", $patch: "delete" },
            ],
          },
        },
      },
    });
  });

  it("replaces lists and merges maps where there is no schema", () => {
    const original = { spec: { list: [{ name: "a" }], map: { a: 1, b: 2 } } };
    const modified = { spec: { list: [{ name: "b" }], map: { a: 1 } } };

    assert.deepEqual(createTwoWayStrategicPatch(original, modified, undefined), {
      spec: { list: [{ name: "b" }], map: { b: null } },
    });
  });
});
