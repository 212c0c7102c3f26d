import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "@weir/testing/property";
import { matchesPattern, matchesPatternList } from "../../src/patterns.ts";

describe("matchesPattern", () => {
  it("matches as a regular expression does", () => {
    const letters = (...more: readonly string[]): fc.Arbitrary<string> =>
      fc.string({ unit: fc.constantFrom("a", "b", ...more), maxLength: 8 });
    fc.assert(
      fc.property(letters(), letters("*", "?"), (text, pattern) => {
        const same = new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`);
        assert.equal(matchesPattern(text, pattern), same.test(text));
      }),
    );
  });

  it("is fast with many asterisks", () => {
    assert.equal(matchesPattern("a".repeat(5000), `${"a*".repeat(500)}b`), false);
  });
});

describe("matchesPatternList", () => {
  const rows: readonly (readonly [text: string, list: string, matches: boolean])[] = [
    ["a", "a", true],
    ["a", "b,a", true],
    ["a", "", false],
    ["", "", false],
    ["", ",a", true],
    ["", "a,", false],
    ["a", "!a", false],
    ["a", "*,!a", false],
    ["b", "*,!a", true],
    ["b", "!a", false],
    ["A", "a", false],
    ["a b", "a b", true],
    ["!a", "!a,*", true],
  ];
  for (const [text, list, matches] of rows) {
    it(`says that "${text}" ${matches ? "matches" : "doesn't match"} "${list}"`, () => {
      assert.equal(matchesPatternList(text, list), matches);
    });
  }
});
