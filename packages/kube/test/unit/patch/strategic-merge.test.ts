import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject, JsonValue } from "@weir/base";
import { schemaOf } from "@weir/testing";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { applyStrategicMergePatch } from "../../../src/patch/strategic-merge.ts";

const pod = schemaOf("v1", "Pod");
const deployment = schemaOf("apps/v1", "Deployment");
const budget = schemaOf("policy/v1", "PodDisruptionBudget");

describe("applyStrategicMergePatch", () => {
  describe("maps", () => {
    it("merges them field by field, and null deletes", () => {
      const live = { metadata: { name: "a", labels: { keep: "1", drop: "2", change: "3" } } };
      const patch = { metadata: { labels: { drop: null, change: "4", add: "5", absent: null } } };

      assert.deepEqual(applyStrategicMergePatch(live, patch, pod), {
        metadata: { name: "a", labels: { keep: "1", change: "4", add: "5" } },
      });
    });

    it("replaces them where that is their strategy", () => {
      const live = { spec: { selector: { matchLabels: { a: "1" } }, minAvailable: 1 } };
      const patch = { spec: { selector: { matchExpressions: [] } } };

      assert.deepEqual(applyStrategicMergePatch(live, patch, budget), {
        spec: { selector: { matchExpressions: [] }, minAvailable: 1 },
      });
    });

    it("replaces them where the patch says so", () => {
      const live = { metadata: { labels: { a: "1" }, name: "x" } };
      const patch = { metadata: { labels: { $patch: "replace", b: "2" } } };

      assert.deepEqual(applyStrategicMergePatch(live, patch, pod), {
        metadata: { labels: { b: "2" }, name: "x" },
      });
    });

    it("empties them where the patch deletes them", () => {
      const live = { metadata: { labels: { a: "1" } } };
      const patch = { metadata: { labels: { $patch: "delete" } } };

      assert.deepEqual(applyStrategicMergePatch(live, patch, pod), { metadata: { labels: {} } });
    });

    it("clears the keys that $retainKeys does not list", () => {
      const live = { spec: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } } };
      const patch = { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } };

      assert.deepEqual(applyStrategicMergePatch(live, patch, deployment), {
        spec: { strategy: { type: "Recreate" } },
      });
    });

    it("takes a value of another type as it is", () => {
      assert.deepEqual(applyStrategicMergePatch({ spec: "text" }, { spec: { nodeName: "n" } }, pod), {
        spec: { nodeName: "n" },
      });
    });
  });

  describe("lists of maps", () => {
    const live = containers(
      { name: "a", image: "a:1" },
      { name: "b", image: "b:1" },
      { name: "c", image: "c:1" },
    );

    it("merges their items by key; new ones stand behind those that the patch names before them", () => {
      const patch = containers({ name: "b", image: "b:2" }, { name: "d", image: "d:1" });

      assert.deepEqual(
        applyStrategicMergePatch(live, patch, pod),
        containers(
          { name: "a", image: "a:1" },
          { name: "b", image: "b:2" },
          { name: "d", image: "d:1" },
          { name: "c", image: "c:1" },
        ),
      );
    });

    it("takes out the items that are marked, all of the same key", () => {
      const doubled = ports(
        { containerPort: 53, protocol: "UDP" },
        { containerPort: 80 },
        { containerPort: 53 },
      );
      const patch = ports({ containerPort: 53, $patch: "delete" });

      assert.deepEqual(applyStrategicMergePatch(doubled, patch, pod), ports({ containerPort: 80 }));
    });

    it("replaces the list where one item says so", () => {
      const patch = containers({ name: "x" }, { $patch: "replace" });

      assert.deepEqual(applyStrategicMergePatch(live, patch, pod), containers({ name: "x" }));
    });

    it("stands them as $setElementOrder says, and others before those that they stood before", () => {
      const patch = {
        spec: {
          "$setElementOrder/containers": [{ name: "c" }, { name: "d" }, { name: "a" }],
          containers: [{ name: "d", image: "d:1" }],
        },
      };

      assert.deepEqual(names(applyStrategicMergePatch(live, patch, pod)), ["b", "c", "d", "a"]);
    });

    it("replaces lists without a merge key", () => {
      const tolerating = { spec: { tolerations: [{ key: "a" }, { key: "b" }] } };

      assert.deepEqual(applyStrategicMergePatch(tolerating, { spec: { tolerations: [{ key: "c" }] } }, pod), {
        spec: { tolerations: [{ key: "c" }] },
      });
    });

    it("leaves directives out of what is new", () => {
      const patch = {
        spec: {
          "$setElementOrder/containers": [{ name: "a" }],
          containers: [{ name: "b", $patch: "delete" }, { name: "a" }],
          securityContext: { $retainKeys: ["runAsUser"], runAsUser: 1 },
        },
      };

      assert.deepEqual(applyStrategicMergePatch({}, patch, pod), {
        spec: { containers: [{ name: "a" }], securityContext: { runAsUser: 1 } },
      });
    });
  });

  describe("lists of scalars", () => {
    const live = { metadata: { finalizers: ["a", "b", "c"] } };

    it("merges them as sets", () => {
      const patch = { metadata: { finalizers: ["d", "b"] } };

      assert.deepEqual(applyStrategicMergePatch(live, patch, pod), {
        metadata: { finalizers: ["d", "a", "b", "c"] },
      });
    });

    it("takes out what $deleteFromPrimitiveList names", () => {
      const patch = { metadata: { "$deleteFromPrimitiveList/finalizers": ["b", "x"] } };

      assert.deepEqual(applyStrategicMergePatch(live, patch, pod), { metadata: { finalizers: ["a", "c"] } });
    });

    it("has nothing to take out where there is no such list", () => {
      const patch = { metadata: { "$deleteFromPrimitiveList/finalizers": ["b"] } };

      assert.deepEqual(applyStrategicMergePatch({ metadata: {} }, patch, pod), { metadata: {} });
    });

    it("stands them as $setElementOrder says", () => {
      const patch = {
        metadata: { "$setElementOrder/finalizers": ["c", "d", "a"], finalizers: ["d"] },
      };

      assert.deepEqual(applyStrategicMergePatch(live, patch, pod), {
        metadata: { finalizers: ["b", "c", "d", "a"] },
      });
    });
  });

  describe("without a schema", () => {
    it("merges maps and replaces lists", () => {
      const live = { a: { b: 1, list: [{ name: "x" }] } };

      assert.deepEqual(applyStrategicMergePatch(live, { a: { c: 2, list: [{ name: "y" }] } }, undefined), {
        a: { b: 1, c: 2, list: [{ name: "y" }] },
      });
    });
  });

  describe("refuses", () => {
    const refused: readonly (readonly [string, JsonObject, JsonObject])[] = [
      ["an item without its merge key", containers({ name: "a" }), containers({ image: "x" })],
      ["a live item without its merge key", containers({ image: "a" }), containers({ name: "x" })],
      ["a deletion without a merge key", containers({ name: "a" }), containers({ $patch: "delete" })],
      ["a merge key that is no scalar", containers({ name: "a" }), containers({ name: ["x"] })],
      [
        "an unknown directive of an item",
        containers({ name: "a" }),
        containers({ name: "a", $patch: "merge" }),
      ],
      ["an unknown directive of a map", { spec: {} }, { spec: { $patch: "explode" } }],
      ["items of different types", containers({ name: "a" }), { spec: { containers: ["a"] } }],
      ["a list of lists", { metadata: { finalizers: [["a"]] } }, { metadata: { finalizers: [["b"]] } }],
      ["a directive without a list", {}, { "$setElementOrder/": {} }],
      ["a directive of no list", {}, { $setElementOrder: [] }],
      [
        "items in another order than the patch says itself",
        containers({ name: "a" }),
        {
          spec: {
            "$setElementOrder/containers": [{ name: "b" }, { name: "c" }],
            containers: [{ name: "c" }, { name: "b" }],
          },
        },
      ],
      [
        "a field that $retainKeys does not list",
        { spec: { strategy: { type: "x" } } },
        { spec: { strategy: { $retainKeys: ["type"], rollingUpdate: {} } } },
      ],
      ["$retainKeys that is no list", { spec: {} }, { spec: { $retainKeys: "all" } }],
    ];
    for (const [what, live, patch] of refused) {
      it(what, () => {
        assert.throws(() => applyStrategicMergePatch(live, patch, pod), PatchError);
      });
    }
  });

  describe("hostile input", () => {
    it("is a key as any other where it is named __proto__", () => {
      const patch = JSON.parse('{"metadata":{"labels":{"__proto__":{"polluted":"yes"}}}}') as JsonObject;

      const result = applyStrategicMergePatch({ metadata: { labels: {} } }, patch, pod);

      assert.equal(JSON.stringify(result), JSON.stringify(patch));
      assert.ok(!("polluted" in {}));
    });

    it("is refused by name where it is nested ten thousand deep", () => {
      const deep = JSON.parse(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`) as JsonObject;

      assert.throws(() => applyStrategicMergePatch({}, deep, pod), PatchError);
      assert.throws(() => applyStrategicMergePatch(deep, {}, pod), PatchError);
    });

    it("takes as many looks at it as there are items, not pairs of them", () => {
      let looks = 0;
      const many = Array.from({ length: 5_000 }, (_, index) => ({
        get name() {
          looks += 1;
          return `n${index}`;
        },
        value: "1",
      }));
      const live = { spec: { containers: [{ name: "a", env: many }] } };
      const patch = { spec: { containers: [{ name: "a", env: many.toReversed() }] } };

      applyStrategicMergePatch(live, patch, pod);

      assert.ok(looks < 50 * many.length, `${looks} looks`);
    });
  });

  it("changes neither the live object nor the patch", () => {
    const live = containers({ name: "a", env: [{ name: "X", value: "1" }] });
    const patch = {
      spec: { "$setElementOrder/containers": [{ name: "a" }], containers: [{ name: "a", env: null }] },
    };
    const before = structuredClone({ live, patch });

    applyStrategicMergePatch(live, patch, pod);

    assert.deepEqual({ live, patch }, before);
  });
});

function containers(...items: readonly JsonObject[]): JsonObject {
  return { spec: { containers: items } };
}

function ports(...items: readonly JsonObject[]): JsonObject {
  return containers({ name: "a", ports: items });
}

function names(object: JsonObject): readonly JsonValue[] {
  const { spec } = object as { spec: { containers: readonly { name: string }[] } };
  return spec.containers.map(({ name }) => name);
}
