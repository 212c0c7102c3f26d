import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { scanFinding } from "../../../../cmd/fluxd/image-checkup.ts";

describe("scanFinding", () => {
  const scanned = ["example.test/a"];
  const failed = [{ name: "example.test/b", error: "example.test/b: refused" }];
  for (const [report, verdict, found] of [
    [{ scanned: [], waiting: [], failed: [] }, "passed", "no workload uses an image"],
    [{ scanned, waiting: [], failed: [] }, "passed", "all image repositories in use are scanned: 1"],
    [
      { scanned, waiting: ["example.test/c"], failed: [] },
      "warning",
      "1 of 2 image repositories in use are not scanned yet: example.test/c",
    ],
    [
      { scanned, waiting: [], failed },
      "failed",
      "cannot scan 1 of 2 image repositories in use: example.test/b: refused",
    ],
  ] as const) {
    it(`has "${found}"`, () => {
      const finding = scanFinding(report);

      assert.deepEqual([finding.verdict, finding.found], [verdict, found]);
    });
  }

  it("names some where there are many", () => {
    const many = Array.from({ length: 7 }, (_, index) => ({ name: `${index}`, error: `error ${index}` }));

    assert.match(scanFinding({ scanned, waiting: [], failed: many }).found, /error 4; and 2 more$/);
    const waiting = many.map(({ name }) => name);
    assert.match(scanFinding({ scanned, waiting, failed: [] }).found, /: 0, 1, 2, 3, 4, \.\.\.$/);
  });
});
