import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc, runs } from "@weir/testing/property";
import { printBytes } from "../../src/print-bytes.ts";

describe("bytes that mostly are text", () => {
  const printed: readonly (readonly [Buffer, string])[] = [
    [Buffer.from("a é 你 😀"), "a é 你 😀"],
    [Buffer.from("a\xff.yaml", "latin1"), "a\\xff.yaml"],
    [Buffer.from([0xc3, 0xa9, 0xc3, 0x61, 0xf0, 0x9f]), "é\\xc3a\\xf0\\x9f"],
    [Buffer.alloc(0), ""],
  ];
  for (const [bytes, expected] of printed) {
    it(`are printed as ${JSON.stringify(expected)}`, () => {
      assert.equal(printBytes(bytes), expected);
    });
  }

  it("are as they are where they are UTF-8, and different where they differ otherwise", () => {
    const bytes = fc.uint8Array({ maxLength: 12 }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(fc.string(), bytes, bytes, (text, one, other) => {
        assert.equal(printBytes(Buffer.from(text)), Buffer.from(text).toString());
        const isAmbiguous = [one, other].some((each) => each.includes("\\x"));
        assert.equal(
          printBytes(one) === printBytes(other),
          one.equals(other) || (isAmbiguous && printBytes(one) === printBytes(other)),
        );
      }),
      runs(2_000),
    );
  });
});
