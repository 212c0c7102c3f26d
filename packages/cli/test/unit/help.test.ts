import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  bool,
  count,
  duration,
  flagsOf,
  float,
  int,
  list,
  map,
  optionalText,
  optionalUint,
  text,
} from "../../src/declare.ts";
import { printFlagUsages } from "../../src/help.ts";

describe("printFlagUsages", () => {
  it("sorts flags, lines up their usages, and tells of defaults as pflag does", () => {
    const flags = flagsOf({
      url: text("url", { default: ":3030", usage: "Where to listen", shorthand: "l" }),
      empty: text("empty", { usage: "Nothing" }),
      quoted: text("author", { default: 'Jo "Q" <jo@x>', usage: "Who" }),
      on: bool("on", { default: true, usage: "Is on" }),
      off: bool("off", { usage: "Is off" }),
      verbose: count("verbose", { usage: "More", shorthand: "v" }),
      limit: int("limit", { default: 10, usage: "Some" }),
      none: int("none", { usage: "None" }),
      bits: optionalUint("bits", { usage: "Bits" }),
      rate: float("rate", { default: 1.5, usage: "Rate" }),
      wait: duration("wait", { default: 3_900_500, usage: "Wait" }),
      never: duration("never", { usage: "Never" }),
      paths: list("path", { default: ["a/*", "b c", "d,e"], usage: "Paths" }),
      nowhere: list("nowhere", { usage: "Nowhere" }),
      labels: map("labels", { default: new Map([["app", "web"]]), usage: "Labels" }),
      memory: optionalText("memory", { bareText: ":memory:", usage: "Held in a `directory` if given" }),
      gone: text("gone", { usage: "Not shown", deprecated: "gone" }),
    });

    assert.equal(
      printFlagUsages(flags),
      `      --author string                   Who (default "Jo \\"Q\\" <jo@x>")
      --bits uint                       Bits
      --empty string                    Nothing
      --labels stringToString           Labels (default [app=web])
      --limit int                       Some (default 10)
      --memory directory[=":memory:"]   Held in a directory if given
      --never duration                  Never
      --none int                        None
      --nowhere strings                 Nowhere
      --off                             Is off
      --on                              Is on (default true)
      --path strings                    Paths (default [a/*,b c,"d,e"])
      --rate float                      Rate (default 1.5)
  -l, --url string                      Where to listen (default ":3030")
  -v, --verbose count                   More
      --wait duration                   Wait (default 1h5m0.5s)
`,
    );
  });

  it("is empty without flags", () => {
    assert.equal(printFlagUsages([]), "");
  });
});
