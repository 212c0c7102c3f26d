import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { compareResourceVersions } from "../../../src/cache/resource-version.ts";

describe("compareResourceVersions", () => {
  it("compares whole numbers of any length", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n }), fc.bigInt({ min: 0n }), (one, other) => {
        const order = compareResourceVersions(String(one), String(other)) ?? NaN;

        assert.equal(Math.sign(order), one === other ? 0 : one < other ? -1 : 1);
      }),
    );
  });

  it("only sees that other versions are the same", () => {
    assert.equal(compareResourceVersions("a-1", "a-1"), 0);
    assert.equal(compareResourceVersions("a-1", "a-2"), undefined);
    assert.equal(compareResourceVersions("1", "a-2"), undefined);
    assert.equal(compareResourceVersions("", "1"), undefined);
    assert.equal(compareResourceVersions("007", "8"), undefined);
  });
});
