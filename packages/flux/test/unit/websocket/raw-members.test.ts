import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { rawMembers } from "../../../src/websocket/raw-members.ts";

describe("the members of an object as they stand in its text", () => {
  it("are the texts of its values, also of values that JavaScript would change", () => {
    const text =
      ' { "a" : 12345678901234567890 , "b":-1.50E+400,"c": {"x" : "}"} ,"d":[ "]\\"" ],"\\u0065":null}';

    assert.deepEqual(
      [...rawMembers(text)],
      [
        { key: "a", text: "12345678901234567890" },
        { key: "b", text: "-1.50E+400" },
        { key: "c", text: '{"x" : "}"}' },
        { key: "d", text: '[ "]\\"" ]' },
        { key: "e", text: "null" },
      ],
    );
  });

  it("tell doubled keys and keys of every object apart", () => {
    assert.deepEqual(
      [...rawMembers('{"a":1,"a":2,"__proto__":3}')],
      [
        { key: "a", text: "1" },
        { key: "a", text: "2" },
        { key: "__proto__", text: "3" },
      ],
    );
    assert.deepEqual([...rawMembers("{ }")], []);
  });

  it("read as the values they are", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()),
        fc.nat(3),
        (object, indent) => {
          const members = [...rawMembers(JSON.stringify(object, null, indent))];

          const read = members.map(({ key, text }) => [key, JSON.parse(text) as unknown]);
          assert.deepEqual(read, Object.entries(JSON.parse(JSON.stringify(object)) as object));
        },
      ),
    );
  });
});
