import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WireError } from "@weir/http";
import { nextPage, parseTagPage } from "../../../../src/registry/wire/tag-list.ts";

const parse = (value: unknown): readonly string[] => parseTagPage(Buffer.from(JSON.stringify(value)));

describe("parseTagPage", () => {
  it("reads tags, and none where there are none", () => {
    assert.deepEqual(parse({ name: "app", tags: ["1.0", "latest", "_x", "sha256-ab.sig"] }), [
      "1.0",
      "latest",
      "_x",
      "sha256-ab.sig",
    ]);
    assert.deepEqual(parse({ tags: null }), []);
    assert.deepEqual(parse({}), []);
  });

  for (const tag of ["", "a b", "a\r\nset x", "../../v2", "a/b", "?x", "-a", "a".repeat(129), 5, null]) {
    it(`refuses ${JSON.stringify(tag)} as a tag`, () => {
      assert.throws(() => parse({ tags: ["1.0", tag] }), WireError);
    });
  }

  it("refuses what is no list", () => {
    assert.throws(() => parse({ tags: "1.0" }), WireError);
    assert.throws(() => parse([]), WireError);
  });
});

describe("nextPage", () => {
  const headers: Readonly<Record<string, string | undefined>> = {
    "": undefined,
    '</v2/app/tags/list?last=b&n=2>; rel="next"': "/v2/app/tags/list?last=b&n=2",
    "<https://registry.example.com/v2/app/tags/list?last=b>; rel=next":
      "https://registry.example.com/v2/app/tags/list?last=b",
    '</v2/app/tags/list?last=a>; rel="prev", </v2/app/tags/list?last=c>; rel="next"':
      "/v2/app/tags/list?last=c",
    '</v2/app/tags/list>; rel="prev"': undefined,
  };
  for (const [header, expected] of Object.entries(headers)) {
    it(`finds ${String(expected)} in ${JSON.stringify(header)}`, () => {
      assert.equal(nextPage(header), expected);
    });
  }
});
