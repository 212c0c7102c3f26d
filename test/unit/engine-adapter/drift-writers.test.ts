import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type KubeObject, keyOf } from "@weir/kube";
import { kubeObject } from "@weir/testing";
import { authorOf, DriftedObjects } from "../../../src/engine-adapter/drift-writers.ts";

const target = kubeObject`
  apiVersion: v1
  kind: ConfigMap
  metadata: { name: config, namespace: demo, labels: { app: a } }
  data: { one: "1", two: "2" }
`;

/** The live object with these data, and who owns which. */
function live(data: Readonly<Record<string, string>>, ...managedFields: readonly object[]): KubeObject {
  return { ...target, data, metadata: { ...target.metadata, managedFields } };
}

function wrote(manager: string, time: string, ...keys: readonly string[]) {
  const fields = Object.fromEntries(keys.map((key) => [`f:${key}`, {}]));
  return { manager, operation: "Update", time, fieldsV1: { "f:data": fields } };
}

describe("who changed a drifted object", () => {
  const fluxd = wrote("kubectl-client-side-apply", "2020-01-01T00:00:00Z", "two");

  it("is who wrote the fields that differ, not who wrote last", () => {
    const ann = wrote("kubectl-edit", "2020-01-02T00:00:00Z", "one");
    const controller = wrote("controller", "2020-01-03T00:00:00Z", "more");

    const author = authorOf(live({ one: "9", two: "2", more: "x" }, fluxd, ann, controller), target);

    assert.deepEqual(author, { manager: "kubectl-edit", at: new Date("2020-01-02T00:00:00Z") });
  });

  it("is who wrote last if a field was removed, which nobody owns", () => {
    const ann = wrote("kubectl-edit", "2020-01-02T00:00:00Z", "more");
    const status = { ...wrote("kubelet", "2020-01-03T00:00:00Z", "status"), subresource: "status" };

    assert.equal(
      authorOf(live({ two: "2", more: "x" }, fluxd, ann, status), target)?.manager,
      "kubectl-edit",
    );
  });

  it("has a name of limited length that a terminal can show, and a time if there is one", () => {
    const rogue = wrote(`a\u001b[2J\nb${"c".repeat(500)}`, "never", "one");

    const author = authorOf(live({ one: "9", two: "2" }, rogue), target);

    assert.deepEqual(author, { manager: `a\\u001b[2J b${"c".repeat(128 - 12)}`, at: undefined });
  });

  it("isn't known without managed fields", () => {
    assert.equal(authorOf(live({ one: "9" }), target), undefined);
  });
});

describe("DriftedObjects", () => {
  it("forgets the objects when a sync begins, and those that are gone at once", () => {
    const drifted = new DriftedObjects();
    const key = keyOf(target);

    drifted.note({
      objects: [
        { key, what: "changed" },
        { key: { ...key, name: "gone" }, what: "missing" },
      ],
    });
    drifted.note({ objects: [{ key, what: "changed" }] });

    assert.deepEqual([drifted.take(), drifted.take()], [[key], []]);
  });

  it("remembers only as many as the history names", () => {
    const drifted = new DriftedObjects();
    const key = keyOf(target);

    const objects = Array.from({ length: 1_000 }, (_, at) => ({
      key: { ...key, name: `${at}` },
      what: "changed" as const,
    }));
    drifted.note({ objects });

    assert.equal(drifted.take().length, 20);
  });
});
