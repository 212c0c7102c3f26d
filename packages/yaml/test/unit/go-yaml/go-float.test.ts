import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { printGoFloat } from "../../../src/go-yaml/go-float.ts";

describe("printGoFloat", () => {
  const printed: readonly (readonly [value: number, text: string])[] = [
    [0, "0"],
    [-0, "-0"],
    [1, "1"],
    [123456.7, "123456.7"],
    [1e6, "1e+06"],
    [1234567.5, "1.2345675e+06"],
    [0.0001, "0.0001"],
    [0.00001, "1e-05"],
    [1.5e300, "1.5e+300"],
    [5e-324, "5e-324"],
    [Infinity, "+Inf"],
    [-Infinity, "-Inf"],
    [Number.NaN, "NaN"],
  ];
  for (const [value, text] of printed) {
    it(`writes ${text}`, () => {
      assert.equal(printGoFloat(value), text);
    });
  }

  it("writes what reads back as the same number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        assert.equal(Number(printGoFloat(value)), value);
      }),
    );
  });
});
