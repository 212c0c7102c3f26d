import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JsonShapeError, type JsonValue, stringifyGoJson } from "@weir/base";
import type { Change } from "../../../src/api/api-server.ts";
import { ChangeError, decodeChange, encodeChange } from "../../../src/api/v9.ts";

const changes: readonly (readonly [Change, string])[] = [
  [
    { kind: "git", url: "git@example.test:org/repo", branch: "main" },
    '{"Kind":"git","Source":{"URL":"git@example.test:org/repo","Branch":"main"}}',
  ],
  [
    { kind: "image", name: { domain: "quay.io", image: "org/app" } },
    '{"Kind":"image","Source":{"Name":{"Domain":"quay.io","Image":"org/app"}}}',
  ],
];

describe("a change as JSON", () => {
  for (const [change, text] of changes) {
    it(`tells of ${change.kind}, both ways`, () => {
      assert.equal(stringifyGoJson(encodeChange(change), { sortKeys: false }), text);
      assert.deepEqual(decodeChange(JSON.parse(text) as JsonValue), change);
    });
  }

  it("reads keys in any case", () => {
    assert.deepEqual(decodeChange({ kind: "git", source: { url: "u", branch: "b" } }), {
      kind: "git",
      url: "u",
      branch: "b",
    });
  });

  it("is refused in Flux v1's words", () => {
    assert.throws(() => decodeChange({ Kind: "hg" }), new ChangeError("unknown kind of change"));
    assert.throws(() => decodeChange({}), new ChangeError("unknown kind of change"));
    assert.throws(() => decodeChange({ Kind: "git" }), new ChangeError("unexpected end of JSON input"));
    assert.throws(() => decodeChange({ Kind: "git", Source: "x" }), JsonShapeError);
  });
});
