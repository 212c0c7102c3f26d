import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Door } from "../../../../../cmd/fluxctl/output/door.ts";
import { paintFor, paintOutcome, paintStatus, plain } from "../../../../../cmd/fluxctl/output/paint.ts";

const door = new Door(() => 7);
const screen = { columns: () => 80, rows: () => 24 };

describe("paintFor", () => {
  for (const [what, shown, env, painted] of [
    ["a screen", screen, {}, true],
    ["a screen whose terminal has colours", screen, { TERM: "xterm-256color", CLICOLOR: "1" }, true],
    ["no screen", undefined, { TERM: "xterm" }, false],
    ["NO_COLOR", screen, { NO_COLOR: "1" }, false],
    ["an empty NO_COLOR", screen, { NO_COLOR: "" }, true],
    ["CLICOLOR=0", screen, { CLICOLOR: "0" }, false],
    ["a terminal that is dumb", screen, { TERM: "dumb" }, false],
    ["CLICOLOR_FORCE without a screen", undefined, { CLICOLOR_FORCE: "1" }, true],
    ["CLICOLOR_FORCE=0 without a screen", undefined, { CLICOLOR_FORCE: "0" }, false],
    ["CLICOLOR_FORCE and NO_COLOR", screen, { CLICOLOR_FORCE: "1", NO_COLOR: "1" }, false],
  ] as const) {
    it(`${painted ? "has" : "has no"} colours with ${what}`, () => {
      const text = door.pass(paintFor(shown, env, door).bad("x"));

      assert.equal(text, painted ? "\x1b[31mx\x1b[0m" : "x");
    });
  }

  it("puts no codes around nothing", () => {
    assert.equal(paintFor(screen, {}, door).good(""), "");
  });
});

describe("paintStatus and paintOutcome", () => {
  it("know which words are good and which are not, and leave others alone", () => {
    const paint = { ...plain, good: (text: string) => `+${text}`, bad: (text: string) => `-${text}` };

    assert.deepEqual(
      ["ready", "error", "PENDING_INSTALL", "toString"].map((word) => paintStatus(paint, word)),
      ["+ready", "-error", "PENDING_INSTALL", "toString"],
    );
    assert.deepEqual(
      ["success", "failed"].map((word) => paintOutcome(paint, word)),
      ["+success", "-failed"],
    );
  });
});
