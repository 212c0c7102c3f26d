import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc, runs } from "@weir/testing/property";
import { decodeYaml } from "../../../src/go-yaml/decode.ts";
import { encodeYaml } from "../../../src/go-yaml/encode.ts";
import { YamlError } from "../../../src/go-yaml/errors.ts";
import { checkSource } from "../../../src/go-yaml/source-text.ts";
import type { YamlValue } from "../../../src/go-yaml/value.ts";

describe("decodeYaml", () => {
  it("gives documents one by one, with the lines they begin on", () => {
    const documents = [...decodeYaml(checkSource("a: 1\n---\n# nothing\n---\n- b\n"))];

    assert.deepEqual(documents, [
      { value: { a: 1 }, isJson: true, line: 1 },
      { value: null, isJson: true, line: 2 },
      { value: ["b"], isJson: true, line: 4 },
    ]);
  });

  it("gives the documents before the one that it cannot read", () => {
    const documents = decodeYaml(checkSource("a: 1\n---\nb: [\n"));

    assert.deepEqual(documents.next().value?.value, { a: 1 });
    assert.throws(() => documents.next(), /^YamlError: yaml: line 3: did not find expected node content$/);
  });

  it("reads what YAML 1.1 means by plain scalars", () => {
    const text = "[yes, Off, n, ~, 010, 0o17, 0b11, 0x1F, 1_000, 1.5, 2001-01-01, '1', 1:30]";

    assert.deepEqual(valueOf(text), [
      true,
      false,
      false,
      null,
      8,
      15,
      3,
      31,
      1000,
      1.5,
      "2001-01-01",
      "1",
      "1:30",
    ]);
  });

  it("merges mappings, of which the first wins, over the keys before", () => {
    const text = "base: &a {x: 1, v: 1}\nother: &b {v: 2, z: 2}\nall: {z: 0, <<: [*a, *b], x: 3}\n";

    assert.deepEqual(valueOf(text), {
      base: { x: 1, v: 1 },
      other: { v: 2, z: 2 },
      all: { z: 2, v: 1, x: 3 },
    });
  });

  it("keeps keys that every object inherits", () => {
    const value = valueOf("__proto__: {polluted: true}\nconstructor: 1\n");

    assert.deepEqual(JSON.stringify(value), '{"__proto__":{"polluted":true},"constructor":1}');
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  });

  it("says of a document whether it is JSON as it stands", () => {
    const texts = ["a: 1", "1: a", "a: 1.0", "a: .inf", "a: 9007199254740993", "- a: {b: [1.5, ~]}"];

    assert.deepEqual(
      texts.map((text) => decodeYaml(checkSource(text)).next().value?.isJson),
      [true, false, false, false, false, true],
    );
  });

  it("reads what JSON writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        // Not what YAML wants escaped, nor numbers of which the type shows in how they are written.
        fc.pre(!/[\x7f-\x9f\ufffe\uffff\ud800-\udfff]|e[+-]?\d|\d{16}|"<<"/.test(text));

        assert.deepEqual(valueOf(text), JSON.parse(text));
      }),
    );
  });

  it("throws nothing but YamlError, whatever the text", () => {
    const fragments = fc.constantFrom(
      ..."\n|\n  |: |- |? |[|]|{|}|,|#|&a |*a|<<: *a|!|!!int |'|\"|\\|>|%|---\n|a|1|\t|@".split("|"),
      "|",
      "é",
    );

    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 40 }), (parts) => {
        try {
          for (const { value } of decodeYaml(checkSource(parts.join("")))) {
            encodeYaml(value);
          }
        } catch (error) {
          assert.ok(error instanceof YamlError, String(error));
        }
      }),
      runs(2_000),
    );
  });
});

describe("hostile YAML", () => {
  const letters = Array.from("bcdefghijklmnop");
  const bomb = [
    "a: &a [x, x, x, x, x, x, x, x, x]",
    ...letters.map((name, index) => `${name}: &${name} [${list(`*${letters[index - 1] ?? "a"}`, 9)}]`),
  ].join("\n");

  const remedy =
    "API servers don't accept this much at once; split it into several documents, or move the file out of the git paths";

  const cases: readonly (readonly [what: string, text: string, message: string])[] = [
    ["aliases that multiply", bomb, "yaml: document contains excessive aliasing"],
    ["brackets in brackets", "[".repeat(10_001), "yaml: exceeded max depth of 10000"],
    ["braces in braces", "{a: ".repeat(10_001), "yaml: exceeded max depth of 10000"],
    ["entries in entries", "- ".repeat(10_001), "yaml: exceeded max depth of 10000"],
    ["keys in keys", "? ".repeat(10_001), "yaml: exceeded max depth of 10000"],
    ["an anchor in itself", "a: &a [*a]", "yaml: anchor value contains itself (line 1)"],
    ["a NUL", "a: b\0c", "yaml: control characters are not allowed"],
    [
      "a key of megabytes",
      `${"k".repeat(4_000_000)}: v`,
      "yaml: mapping values are not allowed in this context",
    ],
    [
      "nodes beyond number",
      `[${list("a", 150_001)}]`,
      `yaml: document has more than 150000 nodes; ${remedy}`,
    ],
    [
      "a text that no API server takes",
      `a: 1\nb: |\n  ${"x".repeat(4 * 2 ** 20 + 1)}`,
      `yaml: line 2: text is longer than 4194304 characters; ${remedy}`,
    ],
    [
      "comments without end",
      `---\na: 1\n${"# nothing\n".repeat(1_000_000)}b: 2\n`,
      `yaml: line 1000003: document is longer than 8388608 characters; ${remedy}`,
    ],
    ["a quote that never ends", `"${"x ".repeat(1_000_000)}`, "yaml: found unexpected end of stream"],
  ];
  for (const [what, text, message] of cases) {
    it(`with ${what} is refused`, () => {
      assert.throws(() => valueOf(text), { name: "YamlError", message });
    });
  }

  it("with documents that are too large only together is read", () => {
    const document = `---\n- ${"x".repeat(3_000_000)}\n`;

    const documents = decodeYaml(checkSource(document.repeat(6)));

    assert.equal([...documents].length, 6);
  });

  it("with deep nesting that is allowed needs no stack", () => {
    const depth = 9_999;

    const text = encodeYaml(valueOf("[".repeat(depth) + "]".repeat(depth)));

    assert.equal(text, `${"- ".repeat(depth - 1)}[]\n`);
  });

  it("with a line of 4 MB is read", () => {
    const line = "x".repeat(4_000_000);

    assert.deepEqual(valueOf(`a: ${line}`), { a: line });
  });

  it("with aliases of aliases is no JSON where they come to stand too deep", () => {
    const links = Array.from({ length: 20 }, (_, index) => {
      const inner = index === 0 ? "x" : `*a${index - 1}`;
      return `a${index}: &a${index} ${"[".repeat(30)}${inner}${"]".repeat(30)}`;
    });

    assert.equal(decodeYaml(checkSource(links.join("\n"))).next().value?.isJson, false);
  });
});

function list(item: string, count: number): string {
  return Array.from({ length: count }, () => item).join(",");
}

function valueOf(text: string): YamlValue {
  const { value } = decodeYaml(checkSource(text)).next();
  assert.ok(value !== undefined);
  return value.value;
}
