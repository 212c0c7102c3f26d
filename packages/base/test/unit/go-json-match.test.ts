import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc, runs } from "@weir/testing/property";
import { stringifyGoJson, surelyMatchesGoJson } from "../../src/index.ts";
import type { JsonValue } from "../../src/json.ts";

const values = fc.jsonValue() as fc.Arbitrary<JsonValue>;

describe("surelyMatchesGoJson", () => {
  it("knows the text of a value", () => {
    for (const value of [{ b: [1, "x<", null, true, {}], a: { c: 'q"\\' } }, "", [], -0.5]) {
      assert.ok(surelyMatchesGoJson(`${stringifyGoJson(value)}\n`, value, "\n"));
    }
  });

  it("never takes another text for it", () => {
    fc.assert(
      fc.property(values, values, fc.string(), (value, other, rest) => {
        for (const text of [`${stringifyGoJson(other)}\n`, `${stringifyGoJson(value)}${rest}`, rest]) {
          const isSame = text === `${stringifyGoJson(value)}\n`;
          assert.ok(isSame || !surelyMatchesGoJson(text, value, "\n"));
        }
      }),
      runs(500),
    );
  });

  it("isn't fooled by text that contains JSON", () => {
    assert.ok(!surelyMatchesGoJson('["a","b"]', ['a","b'], ""));
    assert.ok(!surelyMatchesGoJson('{"a":1,"b":2}', { 'a":1,"b': 2 }, ""));
    assert.ok(!surelyMatchesGoJson("12", 1, ""));
    assert.ok(!surelyMatchesGoJson('"<"', "<", ""));
  });
});
