import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc } from "@weir/testing/property";
import { mergeTexts } from "../../../../src/manifests/merge/three-way.ts";

/** Lines of a text: each line is one character of the given ones. */
const text = (characters: string): string => characters.replaceAll(/./g, "$&\n");

/** What undoing the change from `before` to `after` makes of `head`, in the same form. */
function undo(before: string, after: string, head: string): string {
  const merge = mergeTexts({ base: text(after), ours: text(head), theirs: text(before) });
  switch (merge.kind) {
    case "merged":
      return merge.text.replaceAll("\n", "");
    case "collisions":
      return `collisions at ${merge.collisions.map(({ ours }) => `${ours.start}-${ours.end}`).join(" ")}`;
    case "too-different":
      return merge.kind;
  }
}

describe("undoing a change by a merge", () => {
  it("keeps what was changed elsewhere, before and behind", () => {
    assert.equal(undo("abcdefgh", "abXYefgh", "1abXYefg2"), "1abcdefg2");
    assert.equal(undo("abcdef", "abXcdef", "abXcdeZ"), "abcdeZ");
    assert.equal(undo("abcdef", "abef", "abeZf"), "abcdeZf");
  });

  it("takes back an edit beside another edit, but nothing that was inserted or removed beside it", () => {
    assert.equal(undo("abcd", "aXcd", "aXYd"), "abYd");
    assert.equal(undo("abcd", "aXcd", "aXYcd"), "collisions at 2-3");
    assert.equal(undo("abcd", "aXcd", "aXd"), "collisions at 2-2");
    assert.equal(undo("abcd", "abXYcd", "abXYZcd"), "collisions at 4-5");
  });

  it("says where the same lines were changed again", () => {
    assert.equal(undo("abcdef", "aXcdef", "1aYcdef"), "collisions at 2-3");
  });

  it("changes nothing if the change was taken back already", () => {
    assert.equal(undo("abcdef", "aXcdef", "abcdeZ"), "abcdeZ");
  });

  it("works for a file that was created, and for one without a line break at its end", () => {
    assert.equal(undo("", "abc", "abc"), "");
    assert.deepEqual(mergeTexts({ base: "a\nX", ours: "a\nX", theirs: "a\nb" }), {
      kind: "merged",
      text: "a\nb",
    });
  });

  /** A text of different lines, and changes of places that don't touch: two by two, one change and one other. */
  const changes = fc
    .array(
      fc.record({
        kept: fc.integer({ min: 1, max: 3 }),
        old: fc.nat(2),
        made: fc.nat(2),
        isOther: fc.boolean(),
      }),
      { minLength: 1, maxLength: 12 },
    )
    .map((parts) => parts.map((part, index) => ({ ...part, index })));

  type Part = { kept: number; old: number; made: number; isOther: boolean; index: number };

  /** The text in which the changes that are asked for were made. */
  function version(parts: readonly Part[], isMade: (part: Part) => boolean): string {
    const lines = parts.flatMap((part) => {
      const { index, kept, old, made } = part;
      const changed = isMade(part)
        ? Array.from({ length: made }, (_, at) => `new ${index}.${at}`)
        : Array.from({ length: old }, (_, at) => `old ${index}.${at}`);
      return [...Array.from({ length: kept }, (_, at) => `kept ${index}.${at}`), ...changed];
    });
    return [...lines, "end"].map((line) => `${line}\n`).join("");
  }

  it("is only that change, reversed", () => {
    fc.assert(
      fc.property(changes, (parts) => {
        const base = version(parts, ({ isOther }) => !isOther);
        const theirs = version(parts, () => false);
        const ours = version(parts, () => true);

        const merge = mergeTexts({ base, ours, theirs });

        assert.deepEqual(merge, { kind: "merged", text: version(parts, ({ isOther }) => isOther) });
      }),
    );
  });

  it("is undone by undoing it", () => {
    fc.assert(
      fc.property(changes, (parts) => {
        const [changed, head] = [version(parts, ({ isOther }) => !isOther), version(parts, () => true)];
        const undone = mergeTexts({ base: changed, ours: head, theirs: version(parts, () => false) });
        assert.equal(undone.kind, "merged");

        const again = mergeTexts({ base: undone.text, ours: undone.text, theirs: head });

        assert.deepEqual(again, { kind: "merged", text: head });
      }),
    );
  });

  it("has each line of one of the three texts, and takes back all or nothing, whatever the texts", () => {
    const lines = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 12 }).map(text);
    fc.assert(
      fc.property(lines, lines, lines, (base, ours, theirs) => {
        const merge = mergeTexts({ base, ours, theirs });

        if (merge.kind === "merged") {
          assert.deepEqual(mergeTexts({ base, ours: theirs, theirs: ours }), merge);
          assert.ok(ours !== base || merge.text === theirs);
          assert.ok(theirs !== base || merge.text === ours);
        }
      }),
    );
  });
});
