import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { DurationError, parseDuration, printDuration } from "../../src/duration.ts";

describe("parseDuration", () => {
  for (const [text, milliseconds] of [
    ["0", 0],
    ["0s", 0],
    ["5m0s", 300_000],
    ["1h5m0.5s", 3_900_500],
    ["300ms", 300],
    ["1.5h", 5_400_000],
    ["-1m", -60_000],
    ["+2s", 2_000],
    [".5s", 500],
    ["1.s", 1_000],
    ["250us", 0.25],
    ["250\u00b5s", 0.25],
    ["250\u03bcs", 0.25],
    ["1ns", 0.000001],
    ["2562047h47m16.854775807s", 9223372036854.776],
  ] as const) {
    it(`reads ${text}`, () => {
      assert.equal(parseDuration(text), milliseconds);
    });
  }

  for (const [text, message] of [
    ["", 'time: invalid duration ""'],
    ["soon", 'time: invalid duration "soon"'],
    ["-", 'time: invalid duration "-"'],
    [".", 'time: invalid duration "."'],
    ["5", 'time: missing unit in duration "5"'],
    ["1h5", 'time: missing unit in duration "1h5"'],
    ["5 s", 'time: unknown unit " s" in duration "5 s"'],
    ["3d", 'time: unknown unit "d" in duration "3d"'],
    ["3\u00fc", 'time: unknown unit "\\xc3\\xbc" in duration "3\\xc3\\xbc"'],
    ['3"', 'time: unknown unit "\\"" in duration "3\\""'],
    ["2562048h", 'time: invalid duration "2562048h"'],
  ] as const) {
    it(`refuses ${JSON.stringify(text)} in Go's words`, () => {
      assert.throws(() => parseDuration(text), new DurationError(text, message));
    });
  }
});

describe("printDuration", () => {
  for (const [milliseconds, text] of [
    [0, "0s"],
    [300_000, "5m0s"],
    [3_900_500, "1h5m0.5s"],
    [20_000, "20s"],
    [300, "300ms"],
    [1.5, "1.5ms"],
    [0.25, "250\u00b5s"],
    [0.000001, "1ns"],
    [-90_000, "-1m30s"],
    [3_600_000, "1h0m0s"],
  ] as const) {
    it(`writes ${text}`, () => {
      assert.equal(printDuration(milliseconds), text);
    });
  }

  it("writes what reads as the same duration", () => {
    const microseconds = fc.integer({ min: -(2 ** 40), max: 2 ** 40 });
    fc.assert(
      fc.property(microseconds, (duration) => {
        assert.equal(parseDuration(printDuration(duration / 1000)), duration / 1000);
      }),
    );
  });
});
