import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "../../src/json.ts";
import {
  deleteMember,
  draftOf,
  isEmptyObject,
  memberOf,
  membersOf,
  setMember,
} from "../../src/json-members.ts";

const hostile = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as JsonObject;

describe("members of JSON objects", () => {
  it("reads only what an object has itself", () => {
    assert.equal(memberOf({}, "constructor"), undefined);
    assert.equal(memberOf({}, "__proto__"), undefined);
    assert.deepEqual(memberOf(hostile, "__proto__"), { polluted: true });
  });

  it("copies a key named __proto__ as a key", () => {
    const draft = draftOf(hostile);

    assert.equal(JSON.stringify(draft), '{"__proto__":{"polluted":true},"constructor":1}');
    assert.equal(Object.getPrototypeOf(draft), Object.prototype);
  });

  it("sets and deletes a key named __proto__ without touching any prototype", () => {
    const draft = {};

    setMember(draft, "__proto__", { polluted: true });

    assert.deepEqual([...membersOf(draft)], [["__proto__", { polluted: true }]]);
    assert.ok(!("polluted" in draft));

    deleteMember(draft, "__proto__");

    assert.ok(isEmptyObject(draft));
  });

  it("skips undefined members", () => {
    assert.deepEqual([...membersOf({ a: undefined, b: 1 })], [["b", 1]]);
    assert.ok(isEmptyObject({ a: undefined }));
  });
});
