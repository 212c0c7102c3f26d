import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { needsTimestamps, parseTagPattern } from "@weir/flux";
import { readTable } from "../support/parity.ts";

interface Line {
  readonly id: string;
  readonly pattern: string;
  readonly tags: readonly string[];
}

describe("tag patterns, as Flux v1 reads them", () => {
  for (const line of readTable("golden/tag-patterns.jsonl") as readonly Line[]) {
    it(`${line.id}: ${line.pattern}`, () => {
      const pattern = parseTagPattern(line.pattern);

      // What a pattern matches was recorded only where it is valid.
      const matches = pattern.isValid ? line.tags.filter((tag) => pattern.matches(tag)) : [];

      assert.deepEqual(
        {
          id: line.id,
          pattern: line.pattern,
          tags: line.tags,
          valid: pattern.isValid,
          requiresTimestamp: needsTimestamps(pattern),
          string: pattern.text,
          matches,
        },
        line,
      );
    });
  }
});
