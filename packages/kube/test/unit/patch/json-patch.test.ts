import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "@weir/base";
import { applyJsonPatch } from "../../../src/patch/json-patch.ts";
import { PatchError } from "../../../src/patch/patch-error.ts";

describe("applyJsonPatch", () => {
  // Most of these are the examples of RFC 6902, appendix A.
  const examples: readonly (readonly [string, JsonValue, readonly JsonValue[], JsonValue])[] = [
    [
      "adds a member",
      { foo: "bar" },
      [{ op: "add", path: "/baz", value: "qux" }],
      { baz: "qux", foo: "bar" },
    ],
    [
      "adds an item",
      { foo: ["a", "c"] },
      [{ op: "add", path: "/foo/1", value: "b" }],
      { foo: ["a", "b", "c"] },
    ],
    [
      "adds an item at the end",
      { foo: ["a"] },
      [{ op: "add", path: "/foo/-", value: ["b"] }],
      { foo: ["a", ["b"]] },
    ],
    ["adds over what is there", { foo: 1 }, [{ op: "add", path: "/foo", value: 2 }], { foo: 2 }],
    ["removes a member", { baz: "qux", foo: 1 }, [{ op: "remove", path: "/baz" }], { foo: 1 }],
    ["removes an item", { foo: ["a", "b", "c"] }, [{ op: "remove", path: "/foo/1" }], { foo: ["a", "c"] }],
    ["replaces a value", { baz: "qux" }, [{ op: "replace", path: "/baz", value: "boo" }], { baz: "boo" }],
    [
      "replaces an item from the end",
      { a: [1, 2] },
      [{ op: "replace", path: "/a/-1", value: 3 }],
      { a: [1, 3] },
    ],
    ["replaces what is not there", {}, [{ op: "replace", path: "/a", value: 1 }], { a: 1 }],
    [
      "moves a member",
      { foo: { bar: "baz", waldo: "fred" }, qux: { corge: 1 } },
      [{ op: "move", from: "/foo/waldo", path: "/qux/thud" }],
      { foo: { bar: "baz" }, qux: { corge: 1, thud: "fred" } },
    ],
    ["moves an item", { a: [1, 2, 3] }, [{ op: "move", from: "/a/0", path: "/a/2" }], { a: [2, 3, 1] }],
    [
      "copies a value",
      { a: { b: 1 } },
      [{ op: "copy", from: "/a", path: "/c" }],
      { a: { b: 1 }, c: { b: 1 } },
    ],
    [
      "tests a value",
      { a: [1, { b: 2 }] },
      [{ op: "test", path: "/a/1", value: { b: 2 } }],
      { a: [1, { b: 2 }] },
    ],
    ["tests that there is none", {}, [{ op: "test", path: "/a", value: null }], {}],
    ["replaces the whole document", { a: 1 }, [{ op: "replace", path: "", value: [1] }], [1]],
    ["reads escaped pointers", { "/": 9, "~1": 10 }, [{ op: "remove", path: "/~01" }], { "/": 9 }],
    ["reads empty names", { "": { "": 1 } }, [{ op: "add", path: "//x", value: 2 }], { "": { "": 1, x: 2 } }],
    ["ignores members that it does not know", {}, [{ op: "add", path: "/a", value: 1, xyz: 123 }], { a: 1 }],
  ];
  for (const [what, document, patch, result] of examples) {
    it(what, () => {
      assert.deepEqual(applyJsonPatch(document, patch), result);
    });
  }

  const refused: readonly (readonly [string, JsonValue, JsonValue])[] = [
    ["a patch that is no list", {}, { op: "add" }],
    ["an operation that is no map", {}, ["add"]],
    ["an operation without a name", {}, [{ path: "/a", value: 1 }]],
    ["an unknown operation", {}, [{ op: "merge", path: "/a", value: 1 }]],
    ["an operation without a path", {}, [{ op: "remove" }]],
    ["an operation without a value", {}, [{ op: "add", path: "/a" }]],
    ["a copy without a source", { a: 1 }, [{ op: "copy", path: "/b" }]],
    ["a copy of nothing", { a: 1 }, [{ op: "copy", from: "/x", path: "/b" }]],
    ["a path that does not begin with a slash", { a: 1 }, [{ op: "remove", path: "a" }]],
    ["a path through a scalar", { a: 1 }, [{ op: "add", path: "/a/b", value: 1 }]],
    ["a path through nothing", {}, [{ op: "add", path: "/a/b", value: 1 }]],
    ["the removal of nothing", {}, [{ op: "remove", path: "/a" }]],
    ["the removal of the document", { a: 1 }, [{ op: "remove", path: "" }]],
    ["an item beyond the end", { a: [1] }, [{ op: "add", path: "/a/2", value: 1 }]],
    ["an item beyond the beginning", { a: [1] }, [{ op: "remove", path: "/a/-2" }]],
    ["a place with a leading zero", { a: [1, 2] }, [{ op: "remove", path: "/a/01" }]],
    ["a place that is no number", { a: [1] }, [{ op: "replace", path: "/a/x", value: 1 }]],
    ["a move into itself", { a: { b: {} } }, [{ op: "move", from: "/a", path: "/a/b/c" }]],
    ["too many operations", {}, Array.from({ length: 10_001 }, () => ({ op: "add", path: "/a", value: 1 }))],
  ];
  for (const [what, document, patch] of refused) {
    it(`refuses ${what}`, () => {
      assert.throws(
        () => applyJsonPatch(document, patch),
        (error) => error instanceof PatchError && error.kind === "bad-patch",
      );
    });
  }

  it("tells a failed test from a bad patch", () => {
    assert.throws(
      () => applyJsonPatch({ a: "secret" }, [{ op: "test", path: "/a", value: "guess" }]),
      (error) =>
        error instanceof PatchError && error.kind === "failed-test" && !/secret|guess/.test(error.message),
    );
  });

  it("changes neither the document nor the patch, whatever the operations do to each other's values", () => {
    const document = { a: { b: [1] } };
    const patch = [
      { op: "add", path: "/c", value: { list: [] } },
      { op: "add", path: "/c/list/-", value: 1 },
      { op: "copy", from: "/a", path: "/d" },
      { op: "add", path: "/d/b/-", value: 2 },
    ];
    const before = structuredClone({ document, patch });

    assert.deepEqual(applyJsonPatch(document, patch), { a: { b: [1] }, c: { list: [1] }, d: { b: [1, 2] } });
    assert.deepEqual({ document, patch }, before);
  });

  it("stops copies that would grow without end", () => {
    const doubling = Array.from({ length: 60 }, (_, index) => ({ op: "copy", from: "", path: `/a${index}` }));

    assert.throws(() => applyJsonPatch({ a: "x".repeat(100) }, doubling), PatchError);
  });

  it("takes a key named __proto__ as any other", () => {
    const patch = [
      { op: "add", path: "/__proto__", value: { polluted: 1 } },
      { op: "add", path: "/__proto__/more", value: 2 },
    ];

    assert.equal(JSON.stringify(applyJsonPatch({}, patch)), '{"__proto__":{"polluted":1,"more":2}}');
    assert.ok(!("polluted" in {}));
    assert.throws(() => applyJsonPatch({}, [{ op: "add", path: "/__proto__/x", value: 1 }]), PatchError);
    assert.throws(() => applyJsonPatch({}, [{ op: "add", path: "/constructor/x", value: 1 }]), PatchError);
  });

  it("refuses by name what is nested ten thousand deep", () => {
    const deep = JSON.parse(`${"[".repeat(10_000)}${"]".repeat(10_000)}`) as JsonValue;

    assert.throws(() => applyJsonPatch(deep, []), PatchError);
    assert.throws(() => applyJsonPatch({}, [{ op: "add", path: "/a", value: deep }]), PatchError);
  });
});
