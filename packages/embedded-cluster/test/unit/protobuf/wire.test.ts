import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readFields, signed, text, WireError } from "../../../src/protobuf/wire.ts";

describe("readFields", () => {
  it("reads numbers, bytes and fixed widths", () => {
    const bytes = Buffer.from("08960112026869290100000000000000350200000018ffffffffffffffffff01", "hex");

    const fields = [...readFields(bytes)];

    assert.deepEqual(
      fields.map(({ number }) => number),
      [1, 2, 5, 6, 3],
    );
    assert.deepEqual(
      fields.map(({ value }) => (typeof value === "bigint" ? signed(value) : text(value))),
      [150, "hi", 1, 2, -1],
    );
  });

  it("reads any bytes, or says that they are none of its", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        try {
          assert.ok([...readFields(bytes)].length <= bytes.length);
        } catch (error) {
          assert.ok(error instanceof WireError);
        }
      }),
    );
  });
});
