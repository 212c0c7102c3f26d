import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { describeMade } from "../../../dev/release/made.ts";

describe("what a release says at its end", () => {
  it("is every file that it made, with its size, in the order of the names", () => {
    using folder = new TempFolder();
    folder.write("checksums.txt", "x".repeat(1234));
    folder.write("weir-1.2.3.tgz", "x".repeat(12_345_678));
    folder.write("images/weir/index.json", "{}");

    assert.deepEqual(describeMade(folder.path, "dist/release/1.2.3"), [
      "Made 3 files in dist/release/1.2.3:",
      "   1.2 kB  checksums.txt",
      "   0.0 kB  images/weir/index.json",
      "  12.3 MB  weir-1.2.3.tgz",
    ]);
  });
});
