import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { commandWord } from "../../src/command-word.ts";
import { bool, flagsOf, text } from "../../src/declare.ts";

const flags = flagsOf({ url: text("url", { usage: "", shorthand: "u" }), dry: bool("dry", { usage: "" }) });

describe("commandWord", () => {
  for (const [args, word] of [
    [["sync"], "sync"],
    [["sync", "lock"], "sync"],
    [["--url", "sync", "lock"], "lock"],
    [["-u", "x", "sync"], "sync"],
    [["-u=x", "sync"], "sync"],
    [["--url=x", "--dry", "sync", "sync"], "sync"],
    [["--unknown", "sync"], undefined],
    [["--unknown=x", "sync"], "sync"],
    [["-h", "sync"], undefined],
    [["-hx", "sync"], "sync"],
    [["", "-", "sync"], "sync"],
    [["--", "sync"], undefined],
    [[], undefined],
  ] as const) {
    it(`is ${word ?? "nothing"} in "${args.join(" ")}"`, () => {
      assert.equal(commandWord(args, flags), word);
    });
  }
});
