import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isOtherResource, isWatchable, mayBeManaged } from "../../../../src/engine/cache/watchable.ts";
import type { ApiResource } from "../../../../src/kube/api-resource.ts";

function resource(group: string, kind: string, verbs: readonly string[] = ["list", "watch"]): ApiResource {
  return { group, version: "v1", kind, resource: `${kind.toLowerCase()}s`, namespaced: true, verbs };
}

describe("isWatchable", () => {
  it("needs both list and watch", () => {
    const verbs = [["list", "watch", "get"], ["list"], ["watch"], ["create"]];

    assert.deepEqual(
      verbs.map((each) => isWatchable(resource("", "Pod", each))),
      [true, false, false, false],
    );
  });
});

describe("mayBeManaged", () => {
  it("leaves out kinds that nobody manages", () => {
    const kinds = [
      resource("", "Event"),
      resource("events.k8s.io", "Event"),
      resource("", "Endpoints"),
      resource("", "ComponentStatus"),
      resource("example.com", "Event"),
      resource("discovery.k8s.io", "EndpointSlice"),
      resource("", "Binding", ["create"]),
    ];

    assert.deepEqual(
      kinds.filter(mayBeManaged).map(({ group, kind }) => `${group}/${kind}`),
      ["example.com/Event", "discovery.k8s.io/EndpointSlice"],
    );
  });
});

describe("isOtherResource", () => {
  it("sees another version, plural or scope", () => {
    const one = resource("example.com", "Foo");
    const others: readonly ApiResource[] = [
      { ...one, version: "v2" },
      { ...one, resource: "foosen" },
      { ...one, namespaced: false },
      { ...one, verbs: ["list", "watch", "delete"] },
    ];

    assert.deepEqual(
      others.map((other) => isOtherResource(one, other)),
      [true, true, true, false],
    );
  });
});
