import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { globMatches } from "@weir/base";
import fc from "fast-check";
import { orderTags } from "../../../../src/switching/flux2/pick-tags.ts";
import { anything, globFilter } from "../../../../src/switching/flux2/tag-policy.ts";

/** Characters of tags: few, so that globs match often, and some with a meaning in regular expressions. */
const letter = fc.constantFrom("a", "1", ".", "-", "_", "+");
const tag = fc.string({ unit: letter, minLength: 1, maxLength: 8 });
const glob = fc.string({
  unit: fc.oneof(letter, fc.constantFrom("*", "(", "\\", "$", "^", "[")),
  maxLength: 6,
});

describe("globFilter", () => {
  it("lets the same tags through as the glob", () => {
    fc.assert(
      fc.property(glob, fc.array(tag), (pattern, tags) => {
        const filter = globFilter(pattern, anything);

        const found = orderTags({ order: { kind: "alphabetical" }, ...(filter && { filter }) }, tags);

        assert.deepEqual(found.toSorted(), tags.filter((each) => globMatches(pattern, each)).toSorted());
      }),
    );
  });
});
