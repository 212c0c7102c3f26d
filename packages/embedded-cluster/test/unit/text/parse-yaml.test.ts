import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TextError } from "../../../src/text/parse-json.ts";
import { parseYaml } from "../../../src/text/parse-yaml.ts";

describe("parseYaml", () => {
  it("reads YAML 1.1 as Kubernetes does", async () => {
    const { value } = await parseYaml("a: yes\nb: 'yes'\nc: 010\nd: 2001-01-01\ne: ~\nf: &x [1]\ng: *x\n");

    assert.deepEqual(value, { a: true, b: "yes", c: 8, d: "2001-01-01", e: null, f: [1], g: [1] });
  });

  it("tells in which line a key stands again, in JSON too", async () => {
    const { value, duplicates } = await parseYaml('{"a": {"b": 1,\n"b": 2},\n"a": 3}');

    assert.deepEqual(value, { a: 3 });
    assert.deepEqual(duplicates, [
      'line 2: key "b" already set in map',
      'line 3: key "a" already set in map',
    ]);
  });

  it("refuses what is no YAML, and what multiplies", async () => {
    const lines = Array.from(
      { length: 12 },
      (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(", ")}]`,
    );

    await assert.rejects(parseYaml("a: ["), TextError);
    await assert.rejects(parseYaml(["a0: &a0 [x]", ...lines].join("\n")), TextError);
  });
});
