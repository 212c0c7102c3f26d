import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc, runs } from "@weir/testing/property";
import { checkSource, decodeYaml, type YamlValue } from "@weir/yaml/go-yaml";
import type { EditStyle } from "../../../../src/manifests/edit/edit-file.ts";
import { setAnnotations } from "../../../../src/manifests/edit/set-annotations.ts";
import { setImage } from "../../../../src/manifests/edit/set-image.ts";
import { setPaths } from "../../../../src/manifests/edit/set-paths.ts";

const styles: readonly EditStyle[] = ["flux", "minimal"];
const target = { namespace: "default", kind: "helmrelease", name: "web" };

/** What YAML 1.1, YAML 1.2, or the reader of Go takes for something else than a string. */
const words = [
  ...["y", "n", "Y", "N", "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF"],
  ...["true", "False", "~", "null", "Null", "<<", "=", "1", "-1", "+1", "1_000", "0o17", "017", "0x1f"],
  ...["0b11", "-0b1", "1:30", "190:20:30", "1:30.5", ".5", "+.5", "-.5", "1.", "1e3", "12e03", "1_0.5"],
  ...[".inf", "-.Inf", "+.inf", ".nan", "2001-01-01", "2001-1-1 1:1:1", "2001-12-14t21:59:43.1-05:00"],
];
const marks = [
  ...["---", "...", "# x", "#", "a: b", ":", "- a", "-", "? a", ": a", "{", "}", "[", "]", ",", "&a", "*a"],
  ...["!a", "!!str ", "|", ">", "'", '"', "\\", "%", "@", "`"],
];
const blanks = [" ", "  ", "\n", "\n\n", "\r", "\r\n", "\t", "\u0085", "\u00a0", "\u2028", "\u2029"];
const odd = ["\ufeff", "\0", "\x07", "\x1b[31m", "\x7f", "\x9b", "\u202e", "\ufffe", "\uffff", "😀", "é"];

const piece = fc.oneof(
  fc.constantFrom(...words, ...marks, ...blanks, ...odd),
  fc.string({ unit: "binary", maxLength: 5 }),
  fc.lorem({ maxCount: 20 }),
);
const text = fc
  .oneof(
    fc.constantFrom(...words),
    fc.array(piece, { minLength: 1, maxLength: 4 }).map((all) => all.join("")),
  )
  .filter((one) => one !== "");

/** How a string stands before it is changed. */
const before = fc.constantFrom("old", "'old'", '"old"', "|\n@old\n@text", ">-\n@old\n@text", "&a old", "yes");

/** A file with a string in an annotation, as an image and in values: `old`, and in one case no string yet. */
const file = fc
  .record({
    value: before,
    flow: fc.boolean(),
    version: fc.constantFrom("", "%YAML 1.1\n---\n"),
    hasOthers: fc.boolean(),
  })
  .map(({ value, flow, version, hasOthers }): string => {
    const kept = `flag: no\n    mode: 0644\n    octal: 0o17\n    'off': "on"`;
    const block = value.replaceAll("@", "      ");
    const flowValue = value.includes("\n") ? "old" : value;
    const own = flow
      ? `kind: HelmRelease\nmetadata: {name: web, annotations: {a/b: ${flowValue}, after: 'x'}}\n` +
        `spec: {values: {image: old, after: x}}\n`
      : `kind: HelmRelease\nmetadata:\n  name: web\n  annotations:\n    a/b: ${block}\n    after: 'x'\n` +
        `spec:\n  values:\n    image: ${block.replace("&a", "&b")}\n    ${kept}\n`;
    return `${version}${own}${hasOthers ? "---\nkind: ConfigMap\ndata: {x: yes}\n" : ""}`;
  });

describe("a string that an edit writes", () => {
  for (const style of styles) {
    it(`reads back as it is to kubectl, and everything else as before: an annotation (${style})`, () => {
      fc.assert(
        fc.property(file, fc.constantFrom("a/b", "new/c"), text, (source, key, value) => {
          const edited = setAnnotations(source, target, { changes: [{ key, value }], style });

          assert.deepEqual(valuesOf(edited), changed(source, ["metadata", "annotations", key], value));
        }),
        runs(3000),
      );
    });

    it(`reads back as it is to kubectl: the key of an annotation (${style})`, () => {
      fc.assert(
        fc.property(file, text, (source, key) => {
          const edited = setAnnotations(source, target, { changes: [{ key, value: "x" }], style });

          assert.deepEqual(valuesOf(edited), changed(source, ["metadata", "annotations", key], "x"));
        }),
        runs(3000),
      );
    });

    it(`reads back as it is to kubectl: an image (${style})`, () => {
      fc.assert(
        fc.property(file, text, (source, image) => {
          const edited = setImage(source, target, { container: "chart-image", image, style });

          assert.deepEqual(valuesOf(edited), changed(source, ["spec", "values", "image"], image));
        }),
        runs(1000),
      );
    });

    it(`reads back as it is to kubectl: a field that a path leads to (${style})`, () => {
      fc.assert(
        fc.property(file, text, (source, value) => {
          const edited = setPaths(source, target, { paths: [{ path: "spec.values.image", value }], style });

          assert.deepEqual(valuesOf(edited), changed(source, ["spec", "values", "image"], value));
        }),
        runs(1000),
      );
    });
  }

  for (const style of styles) {
    for (const value of [": $", "? $", "- $"]) {
      it(`is quoted in braces that were empty within braces: ${value} (${style})`, () => {
        const source = "{kind: HelmRelease, metadata: {name: web, annotations: {}}}\n";

        const edited = setAnnotations(source, target, { changes: [{ key: "a/b", value }], style });

        assert.deepEqual(valuesOf(edited), changed(source, ["metadata", "annotations", "a/b"], value));
        assert.match(edited, /a\/b: '/);
      });
    }
  }

  // Where a line is folded depends on how deep the string stands.
  for (const start of [" ", "\t", "x\n ", "x\u2028 ", "x \t"]) {
    it(`is not folded where that would be read as a line break: after ${JSON.stringify(start)}`, () => {
      const source = "kind: HelmRelease\nmetadata: {name: web}\nspec:\n  values:\n    image: >-\n      old\n";
      for (let length = 60; length < 90; length += 1) {
        const value = `${start}${"w".repeat(length)} end of text`;

        const edited = setImage(source, target, { container: "chart-image", image: value, style: "flux" });

        assert.deepEqual(valuesOf(edited), changed(source, ["spec", "values", "image"], value));
      }
    });
  }

  it("holds half a character as U+FFFD", () => {
    const source = "kind: HelmRelease\nmetadata:\n  name: web\n";

    const edited = setAnnotations(source, target, { changes: [{ key: "a/b", value: "x\ud83d" }] });

    assert.deepEqual(valuesOf(edited), changed(source, ["metadata", "annotations", "a/b"], "x\ufffd"));
  });
});

/** The documents of a file as kubectl reads them. */
function valuesOf(source: string): readonly YamlValue[] {
  return Array.from(decodeYaml(checkSource(source)), ({ value }) => value);
}

function changed(source: string, path: readonly string[], value: string): readonly unknown[] {
  const [first, ...others] = valuesOf(source);
  return [withValue(first, path, value), ...others];
}

function withValue(of: unknown, [key, ...rest]: readonly string[], value: string): unknown {
  if (key === undefined) {
    return value;
  }
  const held: object = typeof of === "object" && of !== null ? of : {};
  const inner = Object.hasOwn(held, key) ? (Reflect.get(held, key) as unknown) : undefined;
  return Object.fromEntries([...Object.entries(held), [key, withValue(inner, rest, value)]]);
}
