import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { printGoTime } from "../../src/go-time.ts";

describe("printGoTime", () => {
  for (const [time, text] of [
    ["2026-11-21T07:05:09.120Z", "2026-11-21T07:05:09.12Z"],
    ["2026-11-21T07:05:09.000Z", "2026-11-21T07:05:09Z"],
    ["2026-11-21T07:05:10.000Z", "2026-11-21T07:05:10Z"],
    ["2026-11-21T07:05:00.001Z", "2026-11-21T07:05:00.001Z"],
  ] as const) {
    it(`cuts the zeros behind the fraction of ${time}`, () => {
      assert.equal(printGoTime(new Date(time)), text);
    });
  }
});
