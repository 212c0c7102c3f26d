import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { makeResourceId, markLabel, markOf } from "@weir/flux";
import type { SyncSettings } from "@weir/flux/api";
import { dedent } from "@weir/testing";
import { ComparisonError } from "../../../../src/switching/comparison/errors.ts";
import { offlineSettings } from "../../../../src/switching/comparison/offline-settings.ts";
import { SecretHasher } from "../../../../src/switching/comparison/secret-hasher.ts";
import { parseSnapshot, printSnapshot } from "../../../../src/switching/comparison/snapshot.ts";
import { snapshotObjects } from "../../../../src/switching/comparison/snapshot-objects.ts";

const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { key: "value" } };

describe("a snapshot", () => {
  it("is read as it was printed", () => {
    const settings: SyncSettings = {
      ...offlineSettings,
      paths: ["a", "b"],
      prune: "dry-run",
      pruneLimit: "10",
    };
    const snapshot = { settings, salt: "salt", objects: [object] };

    assert.deepEqual(parseSnapshot(printSnapshot(snapshot), "s.json"), snapshot);
  });

  it("can also be a list that kubectl prints, without what the server added", () => {
    const text = dedent(`
      apiVersion: v1
      kind: List
      items:
      - apiVersion: v1
        kind: ConfigMap
        metadata: { name: a, uid: 1-2, resourceVersion: "3", managedFields: [] }
        data: { key: value }
        status: { some: thing }
    `);

    assert.deepEqual(parseSnapshot(text, "s.yaml"), {
      settings: undefined,
      salt: undefined,
      objects: [object],
    });
  });

  for (const [what, text] of [
    ["isn't YAML", "a: ["],
    ["isn't JSON", "{"],
    ["has no objects", "a: b\n"],
  ] as const) {
    it(`is refused if it ${what}`, () => {
      assert.throws(() => parseSnapshot(text, "s"), ComparisonError);
    });
  }

  it("from kubectl counts as what the compared sync set has applied, whatever its name was", async () => {
    const marked = { ...object, metadata: { name: "a", namespace: "shop", labels: { [markLabel]: "old" } } };
    const foreign = { ...object, metadata: { name: "b", namespace: "shop" } };
    const hasher = new SecretHasher();
    const snapshot = { settings: undefined, salt: undefined, objects: [marked, foreign] };

    const objects = await snapshotObjects(snapshot, { syncSetName: "set", onlyPremises: false, hasher });

    const id = makeResourceId("shop", "configmap", "a");
    assert.deepEqual(
      objects.map(({ metadata }) => metadata.labels),
      [{ [markLabel]: markOf("set", id) }],
    );
  });

  it("keeps the marks of its own fluxd, which isn't the only one in the cluster", async () => {
    const marked = { ...object, metadata: { name: "a", labels: { [markLabel]: "of another fluxd" } } };
    const snapshot = { settings: offlineSettings, salt: "salt", objects: [marked] };
    const hasher = new SecretHasher("salt");

    const objects = await snapshotObjects(snapshot, { syncSetName: "set", onlyPremises: false, hasher });

    assert.deepEqual(objects, [marked]);
  });

  it("lends only its kinds and namespaces to a comparison of folders", async () => {
    const labels = { [markLabel]: "old", team: "a" };
    const snapshot = {
      settings: undefined,
      salt: undefined,
      objects: [
        { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop", labels } },
        { ...object, metadata: { name: "a", labels } },
      ],
    };
    const hasher = new SecretHasher();

    const objects = await snapshotObjects(snapshot, { syncSetName: "set", onlyPremises: true, hasher });

    assert.deepEqual(objects, [
      { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop", labels: { team: "a" } } },
    ]);
  });
});
