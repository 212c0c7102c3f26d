import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bareWords, noOffer, printOffer } from "../../../../../cmd/fluxctl/completion/candidate.ts";

const candidates = [
  { word: "lock", what: "Keeps it" },
  { word: "list", what: "" },
  { word: "sync", what: "Now" },
];

describe("printOffer", () => {
  it("has what goes on from what is typed, with what it is where that is asked for", () => {
    assert.equal(printOffer({ candidates }, "l", true), "lock\tKeeps it\nlist\n:4\n");
    assert.equal(printOffer({ candidates }, "l", false), "lock\nlist\n:4\n");
  });

  it("says in its last line what a shell is to do, in cobra's numbers", () => {
    const last = [
      noOffer,
      { candidates: bareWords(["a="]), isOpen: true },
      { candidates: [], takesFiles: true },
      { candidates: [], isOpen: true, takesFiles: true },
    ].map((offer) => printOffer(offer, "", true).split("\n").at(-2));

    assert.deepEqual(last, [":4", ":6", ":0", ":2"]);
  });
});
