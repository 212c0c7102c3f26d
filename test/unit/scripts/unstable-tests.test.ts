import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { filesToRunAgain } from "../../../scripts/unstable-tests.ts";

function failureIn(file: string) {
  return { name: "a test", file, outcome: "failed", reason: "" } as const;
}

describe("what is run again", () => {
  it("is each file with a failed test, once, and no helper that describes tests", () => {
    const failures = ["/a.test.ts", "/b.test.ts", "/a.test.ts", "/clusters.ts"].map(failureIn);

    assert.deepEqual(filesToRunAgain(failures), ["/a.test.ts", "/b.test.ts"]);
  });

  it("is nothing where tests fail in many files, or none has failed", () => {
    const many = ["/a.test.ts", "/b.test.ts", "/c.test.ts", "/d.test.ts"].map(failureIn);

    assert.deepEqual([filesToRunAgain(many), filesToRunAgain([])], [[], []]);
  });
});
