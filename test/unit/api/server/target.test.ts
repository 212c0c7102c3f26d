import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readTarget } from "../../../../src/api/server/target.ts";

const segment = fc.oneof(
  fc.constantFrom("", ".", "..", "a", "%2e", "%2F", "%41", "%5c", "\\", "?", "#", "%FF", "é"),
  fc.string(),
);
const path = fc.array(segment).map((segments) => `/${segments.join("/")}`);

describe("the target of a request", () => {
  for (const [target, url] of [
    ["/", "/"],
    ["/api/flux/v6/services?namespace=a//b", "/api/flux/v6/services?namespace=a//b"],
    ["/p%69ng", "/ping"],
    ["/a%3Fb", "/a%3Fb"],
    ["/a?b?c", "/a?b?c"],
    ["http://host:80/a?b", "/a?b"],
  ] as const) {
    it(`${target} is clean`, () => {
      assert.deepEqual(readTarget(target), { kind: "clean", url });
    });
  }

  for (const [target, location] of [
    ["", "/"],
    ["http://host", "/"],
    ["//a//b/?c", "/a/b/?c"],
    ["/a/../../b/.", "/b"],
    ["/a/%2e%2e/b", "/b"],
    ["/a%2F%2Fb", "/a/b"],
  ] as const) {
    it(`${target} is led to ${location}`, () => {
      assert.deepEqual(readTarget(target), { kind: "moved", location });
    });
  }

  it("with a broken escape is broken, but not for one in the query", () => {
    assert.deepEqual(readTarget("/%"), { kind: "broken" });
    assert.deepEqual(readTarget("/%4g"), { kind: "broken" });
    assert.deepEqual(readTarget("/a?%"), { kind: "clean", url: "/a?%" });
  });

  it("is led to a place that is clean itself, on this server", () => {
    fc.assert(
      fc.property(path, (target) => {
        const read = readTarget(target);
        fc.pre(read.kind === "moved");

        assert.match(read.location, /^\/(?![/\\])/);
        assert.deepEqual(readTarget(read.location), { kind: "clean", url: read.location });
      }),
    );
  });
});
