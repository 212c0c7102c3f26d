import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { scanJson } from "../../../src/text/json-scanner.ts";
import { maxDepth, parseJson, TextError } from "../../../src/text/parse-json.ts";

describe("parseJson", () => {
  it("reads what JSON.parse reads, however it is laid out", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, "\t"), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);

        const expected: unknown = JSON.parse(text);
        assert.deepEqual(parseJson(text), { value: expected, duplicates: [] });
      }),
    );
  });

  it("refuses what JSON.parse refuses", () => {
    const scraps = fc.array(
      fc.constantFrom(
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        '"',
        '"a"',
        "1",
        "-",
        ".",
        "e",
        "tru",
        "true",
        "null",
        "\\",
        " ",
        "\n",
        "é",
      ),
    );

    fc.assert(
      fc.property(scraps, (signs) => {
        const text = signs.join("");

        assert.equal(isRead(text), isJson(text), text);
        assert.equal(scanJson(text).fault === undefined, isJson(text), text);
      }),
      { numRuns: 2000 },
    );
  });

  const faults: Readonly<Record<string, string>> = {
    "": "unexpected end of JSON input",
    "{": "unexpected end of JSON input",
    "[1,]": "invalid character ']' looking for beginning of value",
    "{a:1}": "invalid character 'a' looking for beginning of object key string",
    '{"a" 1}': "invalid character '1' after object key",
    '{"a":1 "b"}': "invalid character '\"' after object key:value pair",
    "[1 2]": "invalid character '2' after array element",
    "1 2": "invalid character '2' after top-level value",
    tru: "unexpected end of JSON input",
    trux: "invalid character 'x' in literal true (expecting 'e')",
  };
  for (const [text, fault] of Object.entries(faults)) {
    it(`says what is wrong with ${JSON.stringify(text)}`, () => {
      assert.throws(() => parseJson(text), { name: "TextError", message: fault });
    });
  }

  it("tells of keys that stand there twice, and takes the last", () => {
    const text = '{"a":1,"b":[{"c":1,"c":2}],"a":{"d":1},"\\u0062":0}';

    const { value, duplicates } = parseJson(text);

    assert.deepEqual(value, { a: { d: 1 }, b: 0 });
    assert.deepEqual(duplicates, ['duplicate field "b[0].c"', 'duplicate field "a"', 'duplicate field "b"']);
  });

  it("does not follow a text into any depth", () => {
    assert.doesNotThrow(() => parseJson("[".repeat(maxDepth) + "]".repeat(maxDepth)));
    assert.throws(() => parseJson("[".repeat(100_000)), TextError);
  });
});

function isRead(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch (error) {
    assert.ok(error instanceof TextError);
    return false;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
