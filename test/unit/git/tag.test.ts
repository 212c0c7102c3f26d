import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fullNotesRef } from "../../../src/git/note.ts";
import { printTag } from "../../../src/git/tag.ts";

/** A moment as a machine in some timezone has it. */
class DateThere extends Date {
  readonly #minutesBehind: number;

  constructor(seconds: number, minutesBehind: number) {
    super(seconds * 1000);
    this.#minutesBehind = minutesBehind;
  }

  override getTimezoneOffset(): number {
    return this.#minutesBehind;
  }
}

describe("a tag object", () => {
  const revision = "a".repeat(40);
  const tag = { name: "flux-sync", revision, message: "Sync pointer" };

  it("is what git makes", () => {
    const tagger = { name: "Weave Flux", email: "support@weave.works" };

    assert.equal(
      printTag({ ...tag, tagger }, new DateThere(1_700_000_000, 0)),
      `object ${revision}\ntype commit\ntag flux-sync\ntagger Weave Flux <support@weave.works> 1700000000 +0000\n\nSync pointer\n`,
    );
  });

  it("has a tagger whose name ends no line and no address", () => {
    const tagger = { name: ' "Jo<\n>tagger Eve" . ', email: "<jo@x>\n" };

    assert.match(
      printTag({ ...tag, tagger }, new DateThere(5, 0)),
      /\ntag flux-sync\ntagger Jotagger Eve <jo@x> 5 \+0000\n\n/,
    );
  });

  it("tells the timezone", () => {
    const tagger = { name: "a", email: "b" };
    const zones = [-120, 210, -345].map(
      (behind) => /> 5 (.*)\n/.exec(printTag({ ...tag, tagger }, new DateThere(5, behind)))?.[1],
    );

    assert.deepEqual(zones, ["+0200", "-0330", "+0545"]);
  });
});

describe("the name of a notes ref", () => {
  it("is made full as git makes it", () => {
    assert.deepEqual(["flux", "notes/flux", "refs/notes/flux", "refs/heads/x"].map(fullNotesRef), [
      "refs/notes/flux",
      "refs/notes/flux",
      "refs/notes/flux",
      "refs/notes/refs/heads/x",
    ]);
  });
});
