import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@weir/base";
import { schemaOf } from "@weir/testing";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { createThreeWayStrategicPatch } from "../../../src/patch/three-way-strategic.ts";

const pod = schemaOf("v1", "Pod");
const service = schemaOf("v1", "Service");
const deployment = schemaOf("apps/v1", "Deployment");
const budget = schemaOf("policy/v1", "PodDisruptionBudget");

describe("createThreeWayStrategicPatch", () => {
  it("is empty where the live object has all that is wanted", () => {
    const wanted = { metadata: { name: "a" }, spec: { containers: [{ name: "c", image: "x" }] } };
    const live = {
      metadata: { name: "a", uid: "1" },
      spec: { containers: [{ name: "c", image: "x", imagePullPolicy: "Always" }], restartPolicy: "Always" },
      status: { phase: "Running" },
    };

    assert.deepEqual(
      createThreeWayStrategicPatch({ original: wanted, modified: wanted, current: live }, pod),
      {},
    );
  });

  it("sets what differs and deletes what was applied once and is wanted no more", () => {
    const original = { metadata: { labels: { a: "1", gone: "2" } } };
    const modified = { metadata: { labels: { a: "3" } } };
    const live = { metadata: { labels: { a: "1", gone: "2", other: "4" } } };

    assert.deepEqual(createThreeWayStrategicPatch({ original, modified, current: live }, pod), {
      metadata: { labels: { a: "3", gone: null } },
    });
  });

  it("deletes nothing where it is not known what was applied", () => {
    assert.deepEqual(
      createThreeWayStrategicPatch(
        { original: null, modified: { spec: {} }, current: { spec: { nodeName: "n" } } },
        pod,
      ),
      {},
    );
  });

  it("speaks of items by their merge key, with the order of all", () => {
    const original = containers({ name: "a" }, { name: "old" });
    const modified = containers({ name: "new" }, { name: "a", image: "x" });
    const live = containers({ name: "a" }, { name: "old" }, { name: "injected" });

    assert.deepEqual(createThreeWayStrategicPatch({ original, modified, current: live }, pod), {
      spec: {
        "$setElementOrder/containers": [{ name: "new" }, { name: "a" }],
        containers: [{ name: "new" }, { name: "a", image: "x" }, { name: "old", $patch: "delete" }],
      },
    });
  });

  it("takes scalars out of merged lists by name", () => {
    const original = { metadata: { finalizers: ["a", "old"] } };
    const modified = { metadata: { finalizers: ["a", "new"] } };
    const live = { metadata: { finalizers: ["a", "old", "other"] } };

    assert.deepEqual(createThreeWayStrategicPatch({ original, modified, current: live }, pod), {
      metadata: {
        "$setElementOrder/finalizers": ["a", "new"],
        "$deleteFromPrimitiveList/finalizers": ["old"],
        finalizers: ["new"],
      },
    });
  });

  it("tells which keys may stay where the schema wants it", () => {
    const modified = { spec: { strategy: { type: "Recreate" } } };
    const live = { spec: { strategy: { type: "RollingUpdate", rollingUpdate: {} } } };

    assert.deepEqual(
      createThreeWayStrategicPatch({ original: modified, modified, current: live }, deployment),
      {
        spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } },
      },
    );
  });

  it("sends a null that the manifest states", () => {
    const modified = { spec: { nodeName: null, hostname: null } };

    assert.deepEqual(
      createThreeWayStrategicPatch({ original: null, modified, current: { spec: { nodeName: "n" } } }, pod),
      {
        spec: { nodeName: null, hostname: null },
      },
    );
  });

  it("sends a map that is replaced as a whole even where it is equal, as kubectl does", () => {
    const wanted = { spec: { selector: { matchLabels: { a: "b" } } } };

    assert.deepEqual(
      createThreeWayStrategicPatch({ original: wanted, modified: wanted, current: wanted }, budget),
      wanted,
    );
  });

  it("sends the order of scalars that are not sorted even where it is the same, as kubectl does", () => {
    const wanted = { metadata: { finalizers: ["b", "a"] } };

    assert.deepEqual(
      createThreeWayStrategicPatch({ original: wanted, modified: wanted, current: wanted }, pod),
      {
        metadata: { "$setElementOrder/finalizers": ["b", "a"] },
      },
    );
  });

  it("compares items of the same key from the last on, as kubectl does", () => {
    const live = { spec: { ports: [{ port: 53, protocol: "UDP" }] } };
    const modified = {
      spec: {
        ports: [
          { port: 53, protocol: "UDP" },
          { port: 53, protocol: "TCP" },
        ],
      },
    };

    assert.deepEqual(createThreeWayStrategicPatch({ original: live, modified, current: live }, service), {
      spec: {
        "$setElementOrder/ports": [{ port: 53 }, { port: 53 }],
        ports: [
          { port: 53, protocol: "TCP" },
          { port: 53, protocol: "UDP" },
        ],
      },
    });
  });

  it("refuses lists whose items lack their merge key, or are of different types", () => {
    const live = containers({ name: "a" });

    assert.throws(
      () =>
        createThreeWayStrategicPatch(
          { original: null, modified: containers({ image: "x" }), current: live },
          pod,
        ),
      PatchError,
    );
    assert.throws(
      () =>
        createThreeWayStrategicPatch(
          { original: null, modified: { spec: { containers: ["a"] } }, current: live },
          pod,
        ),
      PatchError,
    );
    assert.throws(
      () =>
        createThreeWayStrategicPatch(
          { original: null, modified: { spec: { containers: [null] } }, current: live },
          pod,
        ),
      PatchError,
    );
  });

  it("never puts a value into the message of an error", () => {
    const secret = containers({ image: "hunter2", value: "hunter2" });

    assert.throws(
      () =>
        createThreeWayStrategicPatch(
          { original: null, modified: secret, current: containers({ name: "a" }) },
          pod,
        ),
      (error) => error instanceof PatchError && !error.message.includes("hunter2"),
    );
  });

  it("refuses by name what is nested ten thousand deep", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`) as JsonObject;

    assert.throws(
      () => createThreeWayStrategicPatch({ original: deep, modified: {}, current: {} }, pod),
      PatchError,
    );
    assert.throws(
      () => createThreeWayStrategicPatch({ original: null, modified: deep, current: {} }, pod),
      PatchError,
    );
    assert.throws(
      () => createThreeWayStrategicPatch({ original: null, modified: {}, current: deep }, pod),
      PatchError,
    );
  });

  it("deletes and sets a key named __proto__ as any other", () => {
    const hostile = JSON.parse('{"metadata":{"labels":{"__proto__":"x"}}}') as JsonObject;
    const plain = { metadata: { labels: {} } };

    assert.equal(
      JSON.stringify(
        createThreeWayStrategicPatch({ original: hostile, modified: plain, current: hostile }, pod),
      ),
      '{"metadata":{"labels":{"__proto__":null}}}',
    );
    assert.equal(
      JSON.stringify(
        createThreeWayStrategicPatch({ original: plain, modified: hostile, current: plain }, pod),
      ),
      '{"metadata":{"labels":{"__proto__":"x"}}}',
    );
  });
});

function containers(...items: readonly JsonObject[]): JsonObject {
  return { spec: { containers: items } };
}
