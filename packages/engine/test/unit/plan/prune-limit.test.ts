import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  mostPruned,
  type PruneLimit,
  PruneLimitError,
  parsePruneLimit,
} from "../../../src/plan/prune-limit.ts";

describe("parsePruneLimit", () => {
  it("reads numbers and percentages", () => {
    assert.deepEqual(["0", "12", "0%", "25%", "100%"].map(parsePruneLimit), [0, 12, "0%", "25%", "100%"]);
  });

  for (const text of ["", "%", "-1", "1.5", "101%", "25 %", "a", "1e3", "99999999999"]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.throws(() => parsePruneLimit(text), PruneLimitError);
    });
  }
});

describe("mostPruned", () => {
  const cases: readonly (readonly [PruneLimit, number, number])[] = [
    [3, 100, 3],
    [0, 100, 0],
    ["25%", 0, 0],
    ["25%", 1, 1],
    ["25%", 3, 1],
    ["25%", 4, 1],
    ["25%", 5, 2],
    ["25%", 80, 20],
    ["7%", 100, 7],
    ["0%", 100, 0],
    ["100%", 7, 7],
  ];
  for (const [limit, managed, most] of cases) {
    it(`is ${most} for ${limit} of ${managed}`, () => {
      assert.equal(mostPruned(limit, managed), most);
    });
  }
});
