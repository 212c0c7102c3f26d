import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checksumOf, markOf, type PolicySet, parseResourceId, type Resource, type SyncSet } from "@weir/flux";
import type { ObjectMeta } from "@weir/kube";
import { dedent } from "@weir/testing";
import { TargetMaker, withMarks } from "../../../src/engine-adapter/target-set.ts";

const everywhere: ReadonlySet<string> = new Set();

function configMap(name: string, { namespace = "default", value = "v", policies = {} } = {}): Resource {
  const bytes = dedent(`
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: ${name}
    data:
      key: ${value}
  `);
  return resource(`${namespace}:configmap/${name}`, bytes, policies);
}

function resource(id: string, bytes: string, policies: PolicySet = {}): Resource {
  return { id: parseResourceId(id), source: "a.yaml", bytes, policies };
}

function syncSet(...resources: readonly Resource[]): SyncSet {
  return {
    name: "set",
    revision: "abc",
    resources: new Map(resources.map((each) => [each.id, each])),
    heldBack: [],
    complete: true,
  };
}

/** The metadata of the object that a ConfigMap with `metadata` becomes. */
function marked(id: string, metadata: ObjectMeta, bytes = ""): ObjectMeta {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata };
  const marks = { id: parseResourceId(id), checksum: checksumOf(bytes), syncSetName: "set" };
  return withMarks(object, marks).metadata;
}

describe("a manifest with its marks", () => {
  const id = parseResourceId("default:configmap/a");
  const checksum = { "fluxcd.io/sync-checksum": checksumOf("bytes") };
  const mark = { "fluxcd.io/sync-gc-mark": markOf("set", id) };

  it("has its namespace, checksum and mark beside what it says itself", () => {
    const metadata = { name: "a", annotations: { note: "mine" }, labels: { app: "a" } };

    assert.deepEqual(marked("default:configmap/a", metadata, "bytes"), {
      name: "a",
      namespace: "default",
      annotations: { note: "mine", ...checksum },
      labels: { app: "a", ...mark },
    });
  });

  it("has them where annotations and labels are null, or the marks are empty", () => {
    const nulls = { name: "a", annotations: null, labels: null };
    const empty = {
      name: "a",
      namespace: "",
      annotations: { "fluxcd.io/sync-checksum": "" },
      labels: { "fluxcd.io/sync-gc-mark": "" },
    };

    for (const metadata of [nulls, empty]) {
      assert.deepEqual(marked("default:configmap/a", metadata, "bytes"), {
        name: "a",
        namespace: "default",
        annotations: checksum,
        labels: mark,
      });
    }
  });

  it("keeps marks of its own, as in Flux v1", () => {
    const own = {
      name: "a",
      namespace: "default",
      annotations: { "fluxcd.io/sync-checksum": "old" },
      labels: { "fluxcd.io/sync-gc-mark": "other" },
    };

    assert.deepEqual(marked("default:configmap/a", own, "bytes"), own);
  });

  it("has no namespace where its kind has none, whatever it says", () => {
    const without = marked("<cluster>:clusterrole/a", { name: "a" });
    const withOne = marked("<cluster>:clusterrole/a", { name: "a", namespace: "default" });

    assert.equal("namespace" in without, false);
    assert.deepEqual(withOne, without);
  });

  it("leaves the manifest as it was", () => {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { key: "v" } };
    const marks = { id: parseResourceId("default:configmap/a"), checksum: "c", syncSetName: "set" };

    const result = withMarks(object, marks);

    assert.deepEqual(object.metadata, { name: "a" });
    assert.deepEqual(result["data"], { key: "v" });
  });
});

describe("the targets of a sync set", () => {
  it("are its resources, each to be found again by its key", () => {
    const [a, b] = [configMap("a"), configMap("b", { namespace: "other" })];

    const { targets, excluded, ignored, broken, resourceOf } = new TargetMaker(everywhere).make(
      syncSet(a, b),
    );

    assert.deepEqual(
      targets.map(({ object, apply }) => [object.metadata.namespace, object.metadata.name, apply]),
      [
        ["default", "a", true],
        ["other", "b", true],
      ],
    );
    assert.deepEqual([excluded, ignored, broken], [[], [], []]);
    assert.equal(resourceOf({ group: "", kind: "ConfigMap", namespace: "other", name: "b" }), b);
    assert.equal(resourceOf({ group: "", kind: "ConfigMap", namespace: "default", name: "b" }), undefined);
  });

  it("leave out what lies outside of the allowed namespaces", () => {
    const set = syncSet(configMap("a"), configMap("b", { namespace: "other" }));

    const { targets, excluded } = new TargetMaker(new Set(["other"])).make(set);

    assert.deepEqual(
      targets.map(({ object }) => object.metadata.name),
      ["b"],
    );
    assert.deepEqual(excluded, ["default:configmap/a"]);
  });

  it("count what is to be ignored, and do not apply it", () => {
    const ignored = configMap("a", { policies: { ignore: "true" } });
    const syncOnly = configMap("b", { policies: { ignore: "sync_only" } });

    const made = new TargetMaker(everywhere).make(syncSet(ignored, syncOnly));

    assert.deepEqual(
      made.targets.map(({ apply }) => apply),
      [false, true],
    );
    assert.deepEqual(made.ignored, [ignored]);
  });

  it("do without what cannot be an object, and name it", () => {
    const broken = configMap("a", { value: ".inf" });

    const made = new TargetMaker(everywhere).make(syncSet(broken, configMap("b")));

    assert.deepEqual(
      made.targets.map(({ object }) => object.metadata.name),
      ["b"],
    );
    assert.equal(made.broken.length, 1);
    assert.deepEqual(made.broken[0], {
      id: "default:configmap/a",
      source: "a.yaml",
      error: made.broken[0]?.error,
    });
    assert.match(made.broken[0].error, /Inf/i);
  });
});

describe("targets from sync to sync", () => {
  it("stay the very same objects while their bytes do", () => {
    const maker = new TargetMaker(everywhere);
    const before = maker.make(syncSet(configMap("a"), configMap("b"))).targets;

    const after = maker.make(syncSet(configMap("b"), configMap("a"))).targets;

    assert.equal(after[0], before[1]);
    assert.equal(after[1], before[0]);
  });

  it("are made anew for other bytes, or another source", () => {
    const maker = new TargetMaker(everywhere);
    const [a, b, c] = maker.make(syncSet(configMap("a"), configMap("b"), configMap("c"))).targets;

    const moved = { ...configMap("b"), source: "moved.yaml" };
    const [a2, b2, c2] = maker.make(syncSet(configMap("a", { value: "w" }), moved, configMap("c"))).targets;

    assert.deepEqual(a2?.object["data"], { key: "w" });
    assert.notEqual(a2, a);
    assert.notEqual(b2, b);
    assert.equal(c2, c);
  });

  it("are not kept for resources that were gone in between", () => {
    const maker = new TargetMaker(everywhere);
    const [before] = maker.make(syncSet(configMap("a"))).targets;
    maker.make(syncSet());

    const [after] = maker.make(syncSet(configMap("a"))).targets;

    assert.notEqual(after, before);
    assert.deepEqual(after, before);
  });
});
