import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseObjects } from "../../../src/git/object-batch.ts";

const id = "a".repeat(40);

describe("the output of git cat-file --batch", () => {
  it("is one object after the other, whatever they contain", () => {
    const content = Buffer.from(`\n${id} commit 3\nabc\n\0`);
    const output = Buffer.concat([
      Buffer.from(`${id} commit ${content.length}\n`),
      content,
      Buffer.from(`\n${"b".repeat(64)} tag 0\n\n`),
    ]);

    assert.deepEqual(parseObjects(output), [
      { id, type: "commit", content },
      { id: "b".repeat(64), type: "tag", content: Buffer.alloc(0) },
    ]);
  });

  it("tells which objects are missing", () => {
    const output = Buffer.from(`${id} missing\n${id} commit 1\nx\nHEAD ambiguous\n`);

    assert.deepEqual(parseObjects(output), [
      undefined,
      { id, type: "commit", content: Buffer.from("x") },
      undefined,
    ]);
  });

  it("can be empty, or end early", () => {
    assert.deepEqual(parseObjects(Buffer.alloc(0)), []);
    assert.deepEqual(parseObjects(Buffer.from(`${id} commit 9\nx`)), [
      { id, type: "commit", content: Buffer.from("x") },
    ]);
    assert.deepEqual(parseObjects(Buffer.from("abc")), [undefined]);
  });
});
