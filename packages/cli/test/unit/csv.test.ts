import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseCsvRecord, printCsvRecord } from "../../src/csv.ts";

describe("parseCsvRecord", () => {
  for (const [text, fields] of [
    ["a,b", ["a", "b"]],
    [",", ["", ""]],
    ['"a,b",c', ["a,b", "c"]],
    ['"a""b"', ['a"b']],
    ['"two\nlines",c', ["two\nlines", "c"]],
    ["first,line\nsecond", ["first", "line"]],
    ["windows\r\nsecond", ["windows"]],
    [" a , b ", [" a ", " b "]],
  ] as const) {
    it(`reads ${JSON.stringify(text)}`, () => {
      assert.deepEqual(parseCsvRecord(text), fields);
    });
  }

  for (const [text, message] of [
    ['a"', 'parse error on line 1, column 2: bare " in non-quoted-field'],
    ['\u00fc,x"', 'parse error on line 1, column 5: bare " in non-quoted-field'],
    ['"a"b', 'parse error on line 1, column 3: extraneous or missing " in quoted-field'],
  ] as const) {
    it(`refuses ${text} in Go's words`, () => {
      assert.throws(() => parseCsvRecord(text), { message });
    });
  }

  it("reads back what printCsvRecord writes", () => {
    const field = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", " ", "\u00fc") });

    fc.assert(
      fc.property(fc.array(field, { minLength: 1 }), (fields) => {
        assert.deepEqual(parseCsvRecord(printCsvRecord(fields)), fields);
      }),
    );
  });
});
