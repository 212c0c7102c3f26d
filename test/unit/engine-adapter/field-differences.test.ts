import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@weir/base";
import fc from "fast-check";
import { differencesBetween } from "../../../src/engine-adapter/field-differences.ts";

function told(before: JsonObject, after: JsonObject): readonly string[] {
  return differencesBetween(before, after).map(
    ({ path, place, before: old, after: now }) =>
      `${path} ${JSON.stringify(old)} -> ${JSON.stringify(now)} at ${JSON.stringify(place)}`,
  );
}

describe("the differences between two states", () => {
  it("are named as people write fields, with their place in the first state", () => {
    const before = {
      metadata: { annotations: { "a.b/c": "1", "fluxcd.io/sync-checksum": "x" } },
      spec: { containers: [{ name: "side" }, { name: "main", image: "app:1" }], ports: [1, 2], gone: true },
    };
    const after = {
      metadata: { annotations: { "a.b/c": "2", "fluxcd.io/sync-checksum": "y" } },
      spec: { containers: [{ name: "main", image: "app:2" }, { name: "side" }], ports: [1, 3], made: 1 },
    };

    assert.deepEqual(told(before, after), [
      'metadata.annotations[a.b/c] "1" -> "2" at ["metadata","annotations","a.b/c"]',
      'spec.containers[name=main].image "app:1" -> "app:2" at ["spec","containers",1,"image"]',
      'spec.ports[1] 2 -> 3 at ["spec","ports",1]',
      'spec.gone true -> undefined at ["spec","gone"]',
      "spec.made undefined -> 1 at undefined",
    ]);
  });

  it("of lists are told as a whole if their items can't be matched", () => {
    assert.deepEqual(told({ a: [1] }, { a: [1, 2] }), ['a [1] -> [1,2] at ["a"]']);
    assert.deepEqual(told({ a: [{ name: "x" }, { name: "y" }] }, { a: [{ name: "y" }, { name: "x" }] }), [
      'a [{"name":"x"},{"name":"y"}] -> [{"name":"y"},{"name":"x"}] at ["a"]',
    ]);
  });

  it("are none exactly if the states are equal", () => {
    const state = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(state, state, (one, other) => {
        const [a, b] = [one, other].map((each) => JSON.parse(JSON.stringify(each)) as JsonObject);
        assert.deepEqual(differencesBetween(a ?? {}, a ?? {}), []);
        const isEqual = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
        assert.equal(differencesBetween(a ?? {}, b ?? {}).length === 0, isEqual);
      }),
    );
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  return typeof value === "object" && value !== null
    ? Object.entries(value)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, part]) => [key, sorted(part)])
    : value;
}
