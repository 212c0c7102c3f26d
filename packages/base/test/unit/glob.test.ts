import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { globMatches } from "../../src/glob.ts";

describe("globMatches", () => {
  it("takes a pattern without a star by the letter", () => {
    const found = ["1.0", "1.0.0", "1.?", ""].filter((text) => globMatches("1.?", text));

    assert.deepEqual(found, ["1.?"]);
  });

  it("takes the empty pattern for the empty text alone", () => {
    assert.deepEqual([globMatches("", ""), globMatches("", "a")], [true, false]);
  });

  it("lets a star stand for any run, also an empty one", () => {
    const texts = ["master-1", "master-", "a-master-1", "master", "Master-1"];

    assert.deepEqual(
      texts.filter((text) => globMatches("master-*", text)),
      ["master-1", "master-"],
    );
  });

  it("does not let the parts around a star overlap", () => {
    assert.deepEqual(
      [globMatches("aba*aba", "aba"), globMatches("aba*aba", "ababa"), globMatches("aba*aba", "abaaba")],
      [false, false, true],
    );
  });

  it("matches what is made of the pattern by filling in its stars", () => {
    const parts = fc.array(fc.string({ unit: fc.constantFrom("a", "b", ".") }), { minLength: 1 });
    const fillings = fc.infiniteStream(fc.string({ unit: fc.constantFrom("a", "b", "*") }));

    fc.assert(
      fc.property(parts, fillings, (texts, filling) => {
        const text = texts.reduce((whole, part) => whole + String(filling.next().value) + part);

        assert.equal(globMatches(texts.join("*"), text), true);
      }),
    );
  });

  it("agrees with the regular expression that says the same", () => {
    const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 });
    const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 8 });

    fc.assert(
      fc.property(pattern, text, (glob, subject) => {
        const expression = new RegExp(`^${glob.replaceAll("*", ".*")}$`);

        assert.equal(globMatches(glob, subject), expression.test(subject));
      }),
    );
  });

  it("takes no time over many stars", () => {
    assert.equal(globMatches(`${"*a".repeat(5_000)}b`, "a".repeat(100_000)), false);
  });
});
