import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isSameRepository } from "../../../src/image/name.ts";
import { parseImageRef } from "../../../src/image/ref.ts";

describe("isSameRepository", () => {
  for (const [a, b, same] of [
    ["alpine:3", "index.docker.io/library/alpine", true],
    ["docker.io/alpine", "library/alpine@sha256:abc", true],
    ["alpine", "quay.io/library/alpine", false],
    ["quay.io/o/a:1", "quay.io/o/a:2", true],
    ["quay.io/o/a", "quay.io/o/b", false],
  ] as const) {
    it(`is ${same} for ${a} and ${b}`, () => {
      assert.equal(isSameRepository(parseImageRef(a), parseImageRef(b)), same);
    });
  }
});
