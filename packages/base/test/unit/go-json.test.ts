import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { GoJsonError, stringifyGoJson } from "../../src/go-json.ts";
import type { JsonValue } from "../../src/json.ts";

describe("stringifyGoJson", () => {
  it("sorts keys by their UTF-8 bytes, numbers among them as text", () => {
    const value = { b: 1, "10": 2, "9": 3, "\u{1F600}": 4, "\uffff": 5, B: 6 };

    assert.equal(stringifyGoJson(value), '{"10":2,"9":3,"B":6,"b":1,"\uffff":5,"\u{1F600}":4}');
  });

  it("keeps the order of keys where that is asked for", () => {
    assert.equal(
      stringifyGoJson({ b: { d: 1, c: 2 }, a: [] }, { sortKeys: false }),
      '{"b":{"d":1,"c":2},"a":[]}',
    );
  });

  it("escapes what Go escapes", () => {
    assert.equal(
      stringifyGoJson('<a href="x">&\u2028\u2029\t\n\r\b\f\u0001\u007f\\'),
      String.raw`"\u003ca href=\"x\"\u003e\u0026\u2028\u2029\t\n\r\b\f\u0001` + '\u007f\\\\"',
    );
  });

  it("escapes keys as it escapes values", () => {
    assert.equal(stringifyGoJson({ "a<b": true }), String.raw`{"a\u003cb":true}`);
  });

  it("writes half a surrogate pair as the replacement character", () => {
    assert.equal(stringifyGoJson("a\ud800b"), '"a\ufffdb"');
  });

  it("writes whole numbers in full up to 64 bits, and floats as Go does", () => {
    const numbers = [0, -0, 1.5, 1e20, 2 ** 60, -(2 ** 60), 1e21, 1e-7, 123456789012345680000];

    assert.equal(
      stringifyGoJson(numbers),
      "[0,0,1.5,100000000000000000000,1152921504606846976,-1152921504606846976,1e+21,1e-7,123456789012345680000]",
    );
  });

  it("refuses numbers that JSON does not have", () => {
    assert.throws(() => stringifyGoJson({ a: Number.NaN }), GoJsonError);
    assert.throws(() => stringifyGoJson([Infinity]), GoJsonError);
  });

  it("leaves out members that are undefined", () => {
    assert.equal(stringifyGoJson({ a: undefined, b: null }), '{"b":null}');
  });

  it("writes a key named __proto__ as any other", () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1}}');

    assert.equal(stringifyGoJson(value as JsonValue), '{"__proto__":{"a":1}}');
  });

  it("refuses what is nested ten thousand deep by name", () => {
    let value: JsonValue = [];
    for (let depth = 0; depth < 10_000; depth++) {
      value = [value];
    }

    assert.throws(() => stringifyGoJson(value), GoJsonError);
  });

  it("writes text that reads as the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = stringifyGoJson(value);

        assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value).toWellFormed()));
      }),
    );
  });
});
