import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseXml } from "../../../src/aws/parse-xml.ts";

describe("an XML document", () => {
  it("has the shape of JSON, without attributes, comments and declarations", () => {
    const text = `<?xml version="1.0"?>
      <a xmlns="urn:x" b='>'><!-- <c>no</c> -->
        <c>one</c ><d/><e><f>two</f></e>
      </a>`;

    assert.deepEqual(parseXml(text, "it"), { a: { c: "one", d: "", e: { f: "two" } } });
  });

  it("has its entities resolved, and what is in CDATA as it is", () => {
    const text = "<a>&lt;&amp;&#43;&#x2F;&gt;<![CDATA[<&amp;>]]></a>";

    assert.deepEqual(parseXml(text, "it"), { a: "<&+/><&amp;>" });
  });

  it("may name a member of every object", () => {
    assert.deepEqual(Object.entries(parseXml("<__proto__><constructor/></__proto__>", "it")), [
      ["__proto__", { constructor: "" }],
    ]);
  });

  const wrong: readonly (readonly [string, string])[] = [
    ["nothing", ""],
    ["text alone", "no"],
    ["two documents", "<a/><b/>"],
    ["an element without an end", "<a><b></b>"],
    ["an end without an element", "</a>"],
    ["elements that end in the wrong order", "<a><b></a></b>"],
    ["an attribute without quotes", "<a b=c></a>"],
    ["an entity that nobody knows", "<a>&constructor;</a>"],
    ["an ampersand alone", "<a>AT&T</a>"],
    ["a character that there is not", "<a>&#x110000;</a>"],
    ["entities of its own", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ["a comment without an end", "<a><!-- </a>"],
  ];
  for (const [what, text] of wrong) {
    it(`is not ${what}`, () => {
      assert.throws(() => parseXml(text, "the answer"), {
        name: "WireError",
        message: "the answer isn't valid XML",
      });
    });
  }
});
