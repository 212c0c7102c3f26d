import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { equalQuantities, parseQuantity } from "../../src/quantity.ts";

describe("parseQuantity", () => {
  const billionths: readonly (readonly [string, bigint])[] = [
    ["0", 0n],
    ["1", 1_000_000_000n],
    ["+1", 1_000_000_000n],
    ["-1.5", -1_500_000_000n],
    [".5", 500_000_000n],
    ["1.", 1_000_000_000n],
    ["100m", 100_000_000n],
    ["5u", 5_000n],
    ["7n", 7n],
    ["2k", 2_000_000_000_000n],
    ["1Ki", 1_024_000_000_000n],
    ["1.5Gi", 1_610_612_736_000_000_000n],
    ["1e3", 1_000_000_000_000n],
    ["1E", 10n ** 27n],
    ["1E-3", 1_000_000n],
  ];
  for (const [text, amount] of billionths) {
    it(`reads ${text}`, () => {
      assert.equal(parseQuantity(text), amount);
    });
  }

  it("rounds up what is finer than a billionth, away from zero", () => {
    assert.equal(parseQuantity("0.1n"), 1n);
    assert.equal(parseQuantity("-0.1n"), -1n);
  });

  for (const text of ["", "m", ".", "1 Gi", "1KiB", "0x10", "1e", "1e9999999999", "9".repeat(100)]) {
    it(`does not read ${JSON.stringify(text.slice(0, 20))}`, () => {
      assert.equal(parseQuantity(text), undefined);
    });
  }
});

describe("equalQuantities", () => {
  it("compares amounts, not spellings", () => {
    assert.ok(equalQuantities("1", "1000m"));
    assert.ok(equalQuantities("1Gi", "1024Mi"));
    assert.ok(equalQuantities(1, "1"));
    assert.ok(equalQuantities("0.5", "500m"));
    assert.ok(!equalQuantities("1G", "1Gi"));
  });

  it("compares what is no quantity as it stands", () => {
    assert.ok(equalQuantities("lots", "lots"));
    assert.ok(!equalQuantities("lots", "more"));
    assert.ok(!equalQuantities(null, "0"));
    assert.ok(!equalQuantities({}, []));
  });

  it("holds for any amount written in thousandths", () => {
    fc.assert(
      fc.property(fc.integer(), (amount) => {
        assert.ok(equalQuantities(String(amount), `${amount}000m`));
      }),
    );
  });
});
