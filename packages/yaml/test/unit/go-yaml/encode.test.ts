import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { fc, runs } from "@weir/testing/property";
import { decodeYaml } from "../../../src/go-yaml/decode.ts";
import { encodeYaml } from "../../../src/go-yaml/encode.ts";
import { YamlError } from "../../../src/go-yaml/errors.ts";
import { compareTexts } from "../../../src/go-yaml/key-order.ts";
import { checkSource } from "../../../src/go-yaml/source-text.ts";
import type { YamlValue } from "../../../src/go-yaml/value.ts";

describe("encodeYaml", () => {
  it("writes the bytes that others checksum", () => {
    const text =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: ns}\n" +
      `data: {x: y, n: no, o: on, num: '1', f: 1.0, oct: 010, t: 2001-01-01, multi: "a\\nb\\n", e: '', nul: ~}\n`;

    const bytes = encodeYaml(decoded(text));

    assert.equal(
      bytes,
      'apiVersion: v1\ndata:\n  false: false\n  e: ""\n  f: 1\n  multi: |\n    a\n    b\n  nul: null\n' +
        '  num: "1"\n  o: true\n  oct: 8\n  t: "2001-01-01"\n  x: true\nkind: ConfigMap\n' +
        "metadata:\n  name: a\n  namespace: ns\n",
    );
    assert.equal(createHash("sha1").update(bytes).digest("hex"), "795537445671ad187181f63b1ccae2d47e67e9e6");
  });

  it("sorts keys with the numbers in them as numbers", () => {
    const keys = Object.fromEntries(["a10", "b", "a2", "a1", "A", "_", "10", "9"].map((key) => [key, 1]));

    assert.deepEqual(encodeYaml(keys).trimEnd().split("\n"), [
      "_: 1",
      '"9": 1',
      '"10": 1',
      "A: 1",
      "a1: 1",
      "a2: 1",
      "a10: 1",
      "b: 1",
    ]);
  });

  it("breaks lines at the first space beyond column 80", () => {
    const words = Array.from({ length: 20 }, () => "lorem").join(" ");

    assert.deepEqual(encodeYaml({ text: words }).split("\n"), [
      `text: ${Array.from({ length: 13 }, () => "lorem").join(" ")}`,
      `  ${Array.from({ length: 7 }, () => "lorem").join(" ")}`,
      "",
    ]);
  });

  it("writes nothing that reads back otherwise", () => {
    fc.assert(
      fc.property(yamlValue, (value) => {
        assert.deepEqual(decoded(encodeYaml(value)), value);
      }),
      runs(500),
    );
  });

  it("sorts keys of any length by the numbers in them", { timeout: 10_000 }, () => {
    const ones = "1".repeat(500_000);

    assert.ok(compareTexts(`${ones}x0`, `${ones}x1`) < 0);
    assert.ok(compareTexts(`${ones}x10`, `${ones}x9`) > 0);
    assert.ok(compareTexts(`${ones}0`, ones) !== 0);
  });

  it("writes the same whatever the order of the keys", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.integer()), (object) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse());

        assert.equal(encodeYaml(reversed), encodeYaml(object));
      }),
    );
  });

  it("needs no stack for depth", () => {
    let value: YamlValue = "x";
    for (let depth = 0; depth < 5_000; depth += 1) {
      value = [value];
    }

    assert.equal(encodeYaml(value), `${"- ".repeat(5_000)}x\n`);
  });

  it("refuses a document that aliases make too long", () => {
    const long = "x".repeat(1_000_000);

    assert.throws(() => encodeYaml(Array.from({ length: 100 }, () => long)), YamlError);
  });
});

/** What JSON can say, but for numbers that a float64 and an int write differently, and "<<", which merges. */
const yamlValue: fc.Arbitrary<YamlValue> = fc.letrec<{ readonly value: YamlValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: fc.constantFrom("a", " ", "\n", ":", "#", "-", "'", '"', "\\", "1", "\t", "é", "😀") }),
    fc.constantFrom("yes", "0x1", "1e3", "2001-01-01", "", "~", "<<", "=", "---", "12:30:45", "\u2028"),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.string({ unit: "grapheme-ascii" }).filter((key) => key !== "<<"),
      tie("value"),
      { maxKeys: 5, noNullPrototype: true },
    ),
  ),
})).value;

function decoded(text: string): YamlValue {
  const { value } = decodeYaml(checkSource(text)).next();
  assert.ok(value !== undefined);
  return value.value;
}
