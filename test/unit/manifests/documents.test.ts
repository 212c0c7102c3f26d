import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { joinDocuments } from "../../../src/manifests/documents.ts";

describe("joinDocuments", () => {
  it("puts a separator before each text, on a line of its own", () => {
    assert.equal(joinDocuments(["a: 1\n", "b: 2", "", "c: 3\n"]), "---\na: 1\n---\nb: 2\n---\n---\nc: 3\n");
  });

  it("is nothing where there is nothing", () => {
    assert.equal(joinDocuments([]), "");
  });
});
