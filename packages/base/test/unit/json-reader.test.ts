import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JsonReader, JsonShapeError, textAt } from "../../src/json-reader.ts";

describe("JsonReader", () => {
  it("reads fields in any case, the last one of several, and ignores others", () => {
    const reader = new JsonReader({ NAME: "a", name: "b", other: 1 });

    assert.equal(reader.text("Name"), "b");
  });

  it("reads what is missing or null as the empty value of its type", () => {
    const reader = new JsonReader({ text: null });

    assert.deepEqual(
      [
        reader.text("text"),
        reader.text("none"),
        reader.flag("none"),
        reader.integer("none"),
        reader.list("none", textAt),
        reader.map("none", textAt),
        reader.object("none").text("deep"),
        reader.value("text", textAt),
      ],
      ["", "", false, 0, null, null, "", undefined],
    );
  });

  it("tells what is missing from what is null", () => {
    const reader = new JsonReader({ Text: null });

    assert.deepEqual([reader.has("text"), reader.has("none")], [true, false]);
  });

  it("reads lists, maps and objects, also with keys that every object inherits", () => {
    const reader = new JsonReader(
      JSON.parse(
        '{"list":["a"],"map":{"__proto__":"p","constructor":"c"},"object":{"flag":true,"n":3}}',
      ) as Record<string, never>,
    );

    assert.deepEqual(reader.list("list", textAt), ["a"]);
    assert.deepEqual(
      reader.map("map", textAt),
      new Map([
        ["__proto__", "p"],
        ["constructor", "c"],
      ]),
    );
    assert.equal(reader.object("object").flag("flag"), true);
    assert.equal(reader.object("object").integer("n"), 3);
    assert.equal(reader.text("constructor"), "");
  });

  for (const [what, read, message] of [
    ["a document", () => new JsonReader([]), "the document should be an object, not a list"],
    ["a text", (r: JsonReader) => r.text("a"), "at.a should be a string, not a number"],
    ["a flag", (r: JsonReader) => r.flag("a"), "at.a should be true or false, not a number"],
    ["a whole number", (r: JsonReader) => r.integer("f"), "at.f should be a whole number, not a number"],
    ["a list", (r: JsonReader) => r.list("a", textAt), "at.a should be a list, not a number"],
    ["an item", (r: JsonReader) => r.list("l", textAt), "at.l[1] should be a string, not null"],
    ["a value", (r: JsonReader) => r.map("m", textAt), 'at.m["k"] should be a string, not an object'],
    ["a struct", (r: JsonReader) => r.object("a"), "at.a should be an object, not a number"],
  ] as const) {
    it(`says where ${what} is of the wrong type`, () => {
      const reader = new JsonReader({ a: 1, f: 1.5, l: ["x", null], m: { k: {} } }, "at");

      assert.throws(
        () => read(reader),
        (error) => error instanceof JsonShapeError && error.message === message,
      );
    });
  }
});
