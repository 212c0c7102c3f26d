import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { markOf, parseResourceId } from "@weir/flux";
import type { KubeObject, ObjectMeta } from "@weir/kube";
import {
  type Collection,
  isManaged,
  isVisible,
  keepReason,
  lastOfIds,
  leaveReason,
  outdatedIds,
} from "../../../src/engine-adapter/garbage.ts";
import { liveIdOf } from "../../../src/engine-adapter/live-id.ts";

const id = parseResourceId("default:configmap/a");

function configMap(metadata: ObjectMeta): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default", ...metadata } };
}

function marked(id: string, metadata: ObjectMeta = {}): KubeObject {
  return configMap({ ...metadata, labels: { "fluxcd.io/sync-gc-mark": markOf("set", parseResourceId(id)) } });
}

function ignoring(value: string, metadata: ObjectMeta = {}): KubeObject {
  return marked(id, { annotations: { "fluxcd.io/ignore": value }, ...metadata });
}

const owned: ObjectMeta = {
  ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "1" }],
};

/** A collection of which all is seen, and git has nothing; `marked` is what bears marks. */
function collection(of: Partial<Collection> = {}, marks: readonly KubeObject[] = []): Collection {
  const sight = { allowedNamespaces: new Set<string>(), mayBeManaged: () => true };
  return {
    ...sight,
    syncSetName: "set",
    checksums: new Map(),
    heldBack: new Set(),
    lastOfIds: () => lastOfIds(marks, sight),
    ...of,
  };
}

describe("what is seen of a cluster", () => {
  it("is nothing that has an owner, of a kind that is left out, or outside of the allowed namespaces", () => {
    const namespaced = (kind: string, name: string): KubeObject => ({
      apiVersion: "v1",
      kind,
      metadata: { name },
    });

    assert.equal(isVisible(configMap({}), collection()), true);
    assert.equal(isVisible(configMap({ ownerReferences: [] }), collection()), true);
    assert.equal(isVisible(configMap(owned), collection()), false);
    assert.equal(
      isVisible(configMap({}), collection({ mayBeManaged: ({ kind }) => kind !== "ConfigMap" })),
      false,
    );
    const there = collection({ allowedNamespaces: new Set(["there"]) });
    assert.deepEqual(
      [
        configMap({}),
        configMap({ namespace: "there" }),
        namespaced("Namespace", "there"),
        namespaced("Namespace", "elsewhere"),
        namespaced("PersistentVolume", "any"),
      ].map((live) => isVisible(live, there)),
      [false, true, true, false, true],
    );
  });
});

describe("what a sync set manages", () => {
  it("is what bears the mark of its own ID", () => {
    assert.equal(isManaged(marked("default:configmap/a"), collection()), true);
  });

  it("is not what the label was copied to, nor what another set applied", () => {
    assert.equal(isManaged(marked("default:configmap/other"), collection()), false);
    assert.equal(isManaged(marked("default:configmap/a"), collection({ syncSetName: "another" })), false);
    assert.equal(isManaged(configMap({}), collection()), false);
  });

  it("is not what is not seen, whatever mark it bears", () => {
    const live = marked("default:configmap/a");

    assert.equal(isManaged(live, collection({ allowedNamespaces: new Set(["elsewhere"]) })), false);
    assert.equal(isManaged(live, collection({ mayBeManaged: () => false })), false);
    assert.equal(isManaged(marked("default:configmap/a", owned), collection()), false);
  });
});

describe("what is kept though it has no target", () => {
  const reasonOf = (live: KubeObject, of: Partial<Collection> = {}): string | undefined =>
    keepReason(live, collection(of, [live]));

  it("says ignore, under either prefix", () => {
    const old = configMap({ annotations: { "flux.weave.works/ignore": "true" } });

    assert.equal(reasonOf(old), "resource has ignore policy true");
    assert.equal(reasonOf(ignoring("sync_only")), "resource has ignore policy sync_only");
    assert.equal(reasonOf(ignoring("false")), undefined);
    assert.equal(reasonOf(ignoring("True")), undefined);
  });

  it("could not be loaded this time", () => {
    assert.equal(reasonOf(configMap({}), { heldBack: new Set([id]) }), "its manifest couldn't be loaded");
  });

  it("has an ID that git has, in another API group or with its kind in another case", () => {
    const checksums = new Map([[id, "1"]]);
    const notUpdated = "resource to be synced has not been updated";

    assert.equal(
      reasonOf({ ...configMap({}), apiVersion: "old.example.test/v1" }, { checksums }),
      notUpdated,
    );
    assert.equal(reasonOf({ ...configMap({}), kind: "Configmap" }, { checksums }), notUpdated);
    assert.equal(reasonOf(configMap({ name: "b" }), { checksums }), undefined);
  });

  it("is not the one that is listed last of those with its ID", () => {
    const first = { ...marked(id, { uid: "1" }), apiVersion: "old.example.test/v1" };
    const last = { ...configMap({ uid: "2", labels: { "fluxcd.io/sync-gc-mark": "of another" } }) };
    const unseen = { ...marked(id, { uid: "3", ...owned }), apiVersion: "z.example.test/v1" };
    const kept = "another object has the same ID";

    assert.equal(keepReason(first, collection({}, [first, last])), kept);
    assert.equal(keepReason(first, collection({}, [last, first, unseen])), undefined);
    assert.equal(keepReason(first, collection({}, [])), kept);
  });

  it("is the same object where several API groups show it", () => {
    const one = { ...marked(id, { uid: "1" }), apiVersion: "old.example.test/v1" };
    const other = marked(id, { uid: "1" });

    assert.equal(keepReason(one, collection({}, [one, other])), undefined);
  });
});

describe("what git has otherwise than the cluster", () => {
  it("is managed and has another checksum", () => {
    const checksums = new Map([[id, "new"]]);
    const ids = (annotations: Readonly<Record<string, string>>, of: Partial<Collection> = {}) => [
      ...outdatedIds([marked(id, { annotations })], collection({ checksums, ...of })),
    ];

    assert.deepEqual(ids({ "fluxcd.io/sync-checksum": "old" }), [id]);
    assert.deepEqual(ids({}), [id]);
    assert.deepEqual(ids({ "fluxcd.io/sync-checksum": "new" }), []);
    assert.deepEqual(ids({ "fluxcd.io/sync-checksum": "old" }, { syncSetName: "another" }), []);
    assert.deepEqual(ids({ "fluxcd.io/sync-checksum": "old" }, { checksums: new Map() }), []);
  });
});

describe("an ignore annotation on a live object", () => {
  it("keeps a manifest from being applied where the object is seen", () => {
    const reason = "ignore annotation in cluster resource";

    assert.equal(leaveReason(ignoring("true"), collection()), reason);
    assert.equal(leaveReason(ignoring("sync_only"), collection()), undefined);
    assert.equal(leaveReason(ignoring("true", owned), collection()), undefined);
    assert.equal(leaveReason(ignoring("true"), collection({ mayBeManaged: () => false })), undefined);
    assert.equal(leaveReason(undefined, collection()), undefined);
  });
});

describe("the ID of a live object", () => {
  it("says <cluster> for what has no namespace", () => {
    const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "x" } };

    assert.equal(liveIdOf(role), "<cluster>:clusterrole/x");
    assert.equal(liveIdOf(configMap({})), "default:configmap/a");
  });
});
