import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { preferredForm } from "../../../src/serving/accept.ts";

describe("the form of an error", () => {
  for (const [accept, form] of [
    [undefined, "message"],
    ["", "message"],
    ["application/json", "json"],
    ["text/plain", "help"],
    ["application/json, text/plain", "json"],
    ["text/plain,application/json", "json"],
    ["application/json;q=0.5, text/plain", "help"],
    ["application/json; q=0.5 , text/plain ;q=0.501", "help"],
    ["application/json;q=0.1, text/html, application/json;q=0.9, text/plain;q=0.5", "json"],
    ["text/html, text/plain;q=0.1", "help"],
    ["text/plain;q=0", "help"],
    ["*/*", "message"],
    ["text/*", "message"],
    ["application/problem+json", "message"],
    [",", "json"],
    ["text/plain;charset=utf-8", "json"],
    ["text/plain;q=2", "json"],
    ["text/html, text/plain;level=1, application/json", "message"],
  ] as const) {
    it(`for Accept: ${String(accept)} is ${form}`, () => {
      assert.equal(preferredForm(accept), form);
    });
  }
});
