import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bool, count, flagsOf, text } from "@weir/cli";
import { placeOf } from "../../../../../cmd/fluxctl/completion/place.ts";

const flags = flagsOf({
  namespace: text("namespace", { usage: "", shorthand: "n" }),
  all: bool("all", { usage: "", shorthand: "a" }),
  verbose: count("verbose", { usage: "", shorthand: "v" }),
});

/** The kind of the place, the flag where there is one, and how the value begins. */
function place(...words: readonly string[]): readonly (string | undefined)[] {
  const found = placeOf(words, flags);
  return [found.kind, found.kind === "value" ? found.flag.declaration.name : undefined, found.begun];
}

describe("placeOf", () => {
  for (const [words, expected] of [
    [[""], ["word", undefined, ""]],
    [
      ["list", "pro"],
      ["word", undefined, "pro"],
    ],
    [["-"], ["flag", undefined, "-"]],
    [["--na"], ["flag", undefined, "--na"]],
    [
      ["--namespace", ""],
      ["value", "namespace", ""],
    ],
    [["--namespace=de"], ["value", "namespace", "de"]],
    [["--namespace=a=b"], ["value", "namespace", "a=b"]],
    [
      ["-n", "de"],
      ["value", "namespace", "de"],
    ],
    [
      ["-van", "de"],
      ["value", "namespace", "de"],
    ],
    [
      ["--namespace", "--"],
      ["value", "namespace", "--"],
    ],
    [
      ["--namespace=x", "y"],
      ["word", undefined, "y"],
    ],
    [
      ["--all", "x"],
      ["word", undefined, "x"],
    ],
    [
      ["-v", "x"],
      ["word", undefined, "x"],
    ],
    [
      ["--unknown", "x"],
      ["word", undefined, "x"],
    ],
    [["--unknown=x"], ["flag", undefined, "--unknown=x"]],
    [
      ["--", "--na"],
      ["word", undefined, "--na"],
    ],
    [
      ["-", "x"],
      ["word", undefined, "x"],
    ],
  ] as const) {
    it(`is a ${expected[0]} in ${JSON.stringify(words)}`, () => {
      assert.deepEqual(place(...words), expected);
    });
  }
});
