import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { printHumanDuration } from "../../src/human-duration.ts";

const second = 1000;
const hour = 3600 * second;
const day = 24 * hour;

describe("printHumanDuration", () => {
  const shown: readonly (readonly [number, string])[] = [
    [-2 * second, "<invalid>"],
    [-0.5 * second, "0s"],
    [0, "0s"],
    [119 * second, "119s"],
    [120 * second, "2m"],
    [330 * second, "5m30s"],
    [45 * 60 * second, "45m"],
    [3 * hour, "3h"],
    [3.5 * hour, "3h30m"],
    [30 * hour, "30h"],
    [2 * day + 3 * hour, "2d3h"],
    [100 * day, "100d"],
    [740 * day, "2y10d"],
    [3000 * day, "8y"],
  ];
  for (const [milliseconds, text] of shown) {
    it(`shows ${milliseconds} ms as ${text}`, () => {
      assert.equal(printHumanDuration(milliseconds), text);
    });
  }
});
