import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type FileTexts, revertFile } from "../../../../src/daemon/undo/revert-file.ts";

function revert(texts: Omit<FileTexts, "path">) {
  return revertFile({ path: "a.yaml", ...texts });
}

describe("what undoing a commit does to a file", () => {
  it("brings back what was there, removes what was added, and leaves alone what was undone already", () => {
    assert.deepEqual(revert({ before: "a\n", after: "b\n", now: "b\n" }), { kind: "changed", text: "a\n" });
    assert.deepEqual(revert({ before: undefined, after: "b\n", now: "b\n" }), {
      kind: "changed",
      text: undefined,
    });
    assert.deepEqual(revert({ before: "a\n", after: undefined, now: undefined }), {
      kind: "changed",
      text: "a\n",
    });
    assert.deepEqual(revert({ before: "a\n", after: "b\n", now: "a\n" }), { kind: "unchanged" });
    assert.deepEqual(revert({ before: "a\n1\n2\n", after: "b\n1\n2\n", now: "a\n1\n3\n" }), {
      kind: "unchanged",
    });
  });

  it("keeps what was changed since, also in a file that was added", () => {
    assert.deepEqual(revert({ before: "a\n1\n2\n", after: "b\n1\n2\n", now: "b\n1\n3\n" }), {
      kind: "changed",
      text: "a\n1\n3\n",
    });
    assert.equal(revert({ before: undefined, after: "a\nb\n", now: "a\nb\nc\n" }).kind, "collisions");
  });

  it("refuses a file that is gone, or that came back with other content", () => {
    assert.equal(revert({ before: "a\n", after: "b\n", now: undefined }).kind, "refused");
    assert.equal(revert({ before: "a\n", after: undefined, now: "c\n" }).kind, "refused");
  });

  it("refuses a mix of two versions of a file that is encrypted with sops, but not an earlier version", () => {
    const file = (first: string, last: string): string => `${first}\nkept: x\nsops: {mac: ${last}}\n`;

    const mixed = revert({ before: file("a", "1"), after: file("b", "1"), now: file("b", "2") });
    const whole = revert({ before: file("a", "1"), after: file("b", "2"), now: file("b", "2") });

    assert.equal(mixed.kind === "refused" && /encrypted with sops/.test(mixed.reason), true);
    assert.deepEqual(whole, { kind: "changed", text: file("a", "1") });
  });
});
