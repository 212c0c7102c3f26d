import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { printAge, printSelector } from "../../../src/tables/cell-text.ts";

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
