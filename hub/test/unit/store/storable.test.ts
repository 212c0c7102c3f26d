import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "@weir/base";
import { newId } from "../../../src/store/ids.ts";
import { wordsOf } from "../../../src/store/search-words.ts";
import { containing, storable, storableJson } from "../../../src/store/storable.ts";

describe("text for the database", () => {
  it("has no NUL and no half of a surrogate pair", () => {
    assert.equal(storable("a\0b\ud800c🙂", 100), "a\ufffdb\ufffdc🙂");
  });

  it("is cut where it's too long, and never within a character", () => {
    assert.equal(storable("abcdef", 4), "abc…");
    assert.equal(storable("ab🙂cdef", 4), "ab\ufffd…");
  });

  it("has no NUL in JSON, and keeps what only looks like one", () => {
    const value = { "k\0": "\0", text: String.raw`\u0000`, half: "\udc00", pair: "🙂", quote: '\\"\n' };

    assert.deepEqual(JSON.parse(storableJson(value) ?? ""), {
      "k\ufffd": "\ufffd",
      text: String.raw`\u0000`,
      half: "\ufffd",
      pair: "🙂",
      quote: '\\"\n',
    });
  });

  it("is no JSON that's too large or too deep", () => {
    let deep: JsonValue = null;
    for (let depth = 0; depth < 10_000; depth++) {
      deep = [deep];
    }

    assert.equal(storableJson(deep), null);
    assert.equal(storableJson("x".repeat(2_000_000)), null);
  });

  it("means itself in a pattern", () => {
    assert.equal(containing(String.raw`50%_\ `), String.raw`%50\%\_\\ %`);
  });
});

describe("words", () => {
  it("are letters and numbers, in lower case, each once", () => {
    assert.deepEqual(wordsOf("Default:deployment/hello-World", "quay.io/weave/hello:v1.2"), [
      "default",
      "deployment",
      "hello",
      "world",
      "quay",
      "io",
      "weave",
      "v1",
      "2",
    ]);
  });

  it("are short and few, whatever the text", () => {
    assert.deepEqual(wordsOf("x".repeat(1_000)), ["x".repeat(100)]);
    assert.equal(wordsOf(Array.from({ length: 5_000 }, (_, index) => `w${index}`).join(" ")).length, 500);
  });
});

describe("IDs", () => {
  it("are UUIDs of version 7, in the order of time", () => {
    const ids = [1, 1_700_000_000_000, 1_700_000_000_001].map(newId);

    assert.deepEqual(ids.toSorted(), ids);
    assert.ok(
      ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    );
    assert.equal(new Set([newId(1), newId(1)]).size, 2);
  });
});
