import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseMapping } from "../../src/mapping.ts";

describe("the list of hidden files", () => {
  const cases: Readonly<Record<string, readonly [text: string, names: readonly string[]]>> = {
    "has a file on each line": ["a.yaml\nb/c d.yaml\n", ["a.yaml", "b/c d.yaml"]],
    "may have hashes": ["a.yaml:0123\nb.yaml:\n", ["a.yaml", "b.yaml"]],
    "cuts a name at its first colon": ["a:b.yaml:0123\n", ["a"]],
    "has no blanks around names": ["  a.yaml \t\n", ["a.yaml"]],
    "keeps an empty line, which names no file": ["\n", [""]],
    "doesn't end without a line break": ["a.yaml\nb.yaml", ["a.yaml"]],
    "may be empty": ["", []],
    "can't contain a NUL": ["a\0.yaml\n", ["a.yaml"]],
    "keeps backslashes and other characters": ["a\\n*$(x).yaml\r\n", ["a\\n*$(x).yaml\r"]],
  };
  for (const [what, [text, names]] of Object.entries(cases)) {
    it(what, () => {
      assert.deepEqual(parseMapping(text), names);
    });
  }
});
