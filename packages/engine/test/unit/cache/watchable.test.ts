import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ApiResource, apiVersionOf, type GroupVersionKind } from "@weir/kube";
import { isOtherResource, isWatchable, managedVersionOf } from "../../../src/cache/watchable.ts";

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

describe("managedVersionOf", () => {
  const excludes =
    (...names: readonly string[]) =>
    ({ group, version, kind }: GroupVersionKind) =>
      names.includes(`${apiVersionOf(group, version)}/${kind}`);

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

    const managed = kinds.filter((kind) => managedVersionOf({ versions: [kind], place: 0 }, () => false));

    assert.deepEqual(
      managed.map(({ group, kind }) => `${group}/${kind}`),
      ["example.com/Event", "discovery.k8s.io/EndpointSlice"],
    );
  });

  it("is the first version that can be watched and is not excluded, as long as there is one", () => {
    const v1 = resource("example.com", "Foo");
    const v1beta1 = { ...v1, version: "v1beta1" };
    const unlisted = { ...v1, version: "v2", verbs: ["get"] };
    const seen = (versions: readonly [ApiResource, ...ApiResource[]], ...names: readonly string[]) =>
      managedVersionOf({ versions, place: 0 }, excludes(...names))?.version;

    assert.equal(seen([v1, v1beta1]), "v1");
    assert.equal(seen([v1, v1beta1], "example.com/v1/Foo"), "v1beta1");
    assert.equal(seen([v1, v1beta1], "example.com/v1/Foo", "example.com/v1beta1/Foo"), undefined);
    assert.equal(seen([unlisted, v1], "example.com/v1/Foo"), undefined);
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
