import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { equalQuantities } from "@weir/kube";
import fc from "fast-check";
import { canonicalQuantity } from "../../src/canonical-quantity.ts";

describe("canonicalQuantity", () => {
  const forms: Readonly<Record<string, string>> = {
    "0": "0",
    "0.0Gi": "0",
    "0.5": "500m",
    "1000m": "1",
    "1000": "1k",
    "1024Mi": "1Gi",
    "1025Mi": "1025Mi",
    "0.5Gi": "512Mi",
    "1536Ki": "1536Ki",
    "100000000": "100M",
    "1e3": "1e3",
    "12e2": "1200",
    "-2000m": "-2",
    // Binary amounts that no binary suffix fits are written without one, and then read as decimal ones.
    "35906.25Ki": "36768000",
    "36768000": "36768k",
  };
  for (const [text, form] of Object.entries(forms)) {
    it(`writes ${text} as ${form}`, () => {
      assert.equal(canonicalQuantity(text), form);
    });
  }

  it("knows no form of what is no amount", () => {
    for (const text of ["", "much", "1Xi", "1 Gi", "--1"]) {
      assert.equal(canonicalQuantity(text), undefined);
    }
  });

  const amounts = fc
    .tuple(
      fc.constantFrom("", "-"),
      fc.nat(99_999),
      fc.constantFrom("", ".5", ".25"),
      fc.constantFrom("", "m", "k", "M", "Ki", "Mi", "Gi", "e3"),
    )
    .map((parts) => parts.join(""));

  it("means the same amount, and is its own form when it is read again", () => {
    fc.assert(
      fc.property(amounts, (text) => {
        const form = canonicalQuantity(text) ?? "";

        assert.ok(equalQuantities(form, text), `${text} became ${form}`);
        const again = canonicalQuantity(form) ?? "";
        assert.ok(equalQuantities(again, text), `${form} became ${again}`);
        assert.equal(canonicalQuantity(again), again);
      }),
    );
  });
});
