import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DemoArgumentsError, parseDemoArguments } from "../../../../../cmd/weir/demo/arguments.ts";

describe("the arguments of the demo", () => {
  it("say how it goes on after the story", () => {
    assert.deepEqual(parseDemoArguments([]), { mode: "stay", yes: false });
    assert.deepEqual(parseDemoArguments(["--once"]), { mode: "once", yes: false });
    assert.deepEqual(parseDemoArguments(["--yes", "--tour"]), { mode: "tour", yes: true });
    assert.equal(parseDemoArguments(["--tour", "-h"]), "help");
  });

  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [["--turo"], /no argument "--turo"/],
    [["tour"], /no argument "tour"/],
    [["--yes"], /add --tour/],
    [["--once", "--tour"], /leave out one of/],
  ];
  for (const [args, message] of wrong) {
    it(`are refused: ${args.join(" ")}`, () => {
      assert.throws(
        () => parseDemoArguments(args),
        (error) => error instanceof DemoArgumentsError && message.test(error.message),
      );
    });
  }
});
