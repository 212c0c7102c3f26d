import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { alignTabs } from "../../../../../cmd/fluxctl/output/table.ts";

describe("alignTabs", () => {
  for (const [what, text, aligned] of [
    ["nothing", "", ""],
    ["lines without tabs", "a\nlonger\n", "a\nlonger\n"],
    ["columns by their widest cell", "a\tb\tc\nlonger\tx\ty\n", "a       b  c\nlonger  x  y\n"],
    ["what is behind the last tab as it is", "a\tlong\nb\tx\n", "a  long\nb  x\n"],
    ["empty cells as two blanks", "\t\tx\n", "    x\n"],
    ["an empty last cell by the blanks before it", "a\t\n", "a  \n"],
    [
      "columns anew behind a line that does not have them",
      "a\tb\nlonger than a\nc\td\n",
      "a  b\nlonger than a\nc  d\n",
    ],
    [
      "only the columns that a line has",
      "aaaa\tb\tc\nd\te\nf\tgg\th\n",
      "aaaa  b  c\nd     e\nf     gg  h\n",
    ],
    ["a last line without an end", "a\tb", "a  b"],
    ["characters, not bytes", "\u00fc\u{1f600}\tx\nabc\tx\n", "\u00fc\u{1f600}   x\nabc  x\n"],
  ] as const) {
    it(`lines up ${what}`, () => {
      assert.equal(alignTabs(text), aligned);
    });
  }

  const cell = fc.string({ unit: fc.constantFrom("a", "b", "-", "\u00fc"), minLength: 1, maxLength: 6 });
  const rows = fc
    .integer({ min: 1, max: 4 })
    .chain((columns) =>
      fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1 }),
    );

  it("keeps every cell, and begins each column of equal rows at one place", () => {
    fc.assert(
      fc.property(rows, (table) => {
        const lines = alignTabs(table.map((row) => row.join("\t")).join("\n")).split("\n");

        assert.deepEqual(
          lines.map((line) => line.split(/ {2,}/)),
          table,
        );
        const starts = lines.map((line) => [...line.matchAll(/(?<=^| {2})[^ ]+/g)].map(({ index }) => index));
        assert.equal(new Set(starts.map((each) => each.join(","))).size, 1);
      }),
    );
  });

  it("leaves exactly two blanks behind the widest cell of a column", () => {
    fc.assert(
      fc.property(rows, (table) => {
        const [line = ""] = alignTabs(table.map((row) => row.join("\t")).join("\n")).split("\n");
        const widest = Math.max(...table.map(([first = ""]) => first.length));
        const second = table[0]?.[1];

        assert.equal(
          line.indexOf(second ?? "", second === undefined ? 0 : widest + 1),
          second === undefined ? 0 : widest + 2,
        );
      }),
    );
  });
});
