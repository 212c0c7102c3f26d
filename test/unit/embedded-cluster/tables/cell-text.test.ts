import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { printAge, printDuration, printSelector } from "../../../../src/embedded-cluster/tables/cell-text.ts";

const second = 1000;
const hour = 3600 * second;
const day = 24 * hour;

describe("printDuration", () => {
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
      assert.equal(printDuration(milliseconds), text);
    });
  }
});

describe("printAge", () => {
  it("does not know the age of what has no time", () => {
    assert.equal(printAge(undefined, 0), "<unknown>");
    assert.equal(printAge("2020-01-01T00:00:00Z", Date.parse("2020-01-01T00:01:00Z")), "60s");
  });
});

describe("printSelector", () => {
  it("shows a selector as a query has it", () => {
    const selector = {
      matchLabels: { b: "2", a: "1" },
      matchExpressions: [
        { key: "c", operator: "In", values: ["y", "x"] },
        { key: "d", operator: "DoesNotExist" },
      ],
    };

    assert.equal(printSelector(selector), "a=1,b=2,c in (x,y),!d");
  });
});
