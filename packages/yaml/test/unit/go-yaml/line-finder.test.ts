import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LineFinder } from "../../../src/go-yaml/line-finder.ts";

describe("LineFinder", () => {
  const lines = new LineFinder("a:\n  b:\n  - x\n  - c: |\n      text\n    d: y\ne: z\n");

  it("finds the line of a part by the way to it", () => {
    const paths = [[], ["a"], ["a", "b"], ["a", "b", 0], ["a", "b", 1, "d"], ["e"]];

    assert.deepEqual(
      paths.map((path) => lines.lineOf(path)),
      [1, 2, 3, 3, 6, 7],
    );
  });

  it("finds the last part there is, where there is no such part", () => {
    assert.equal(lines.lineOf(["a", "b", 7, "x"]), 3);
  });
});
