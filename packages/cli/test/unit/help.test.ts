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
      url: text("url", ":3030", "Where to listen", { shorthand: "l" }),
      empty: text("empty", "", "Nothing"),
      quoted: text("author", 'Jo "Q" <jo@x>', "Who"),
      on: bool("on", true, "Is on"),
      off: bool("off", false, "Is off"),
      verbose: count("verbose", "More", { shorthand: "v" }),
      limit: int("limit", 10, "Some"),
      none: int("none", 0, "None"),
      bits: optionalUint("bits", "Bits"),
      rate: float("rate", 1.5, "Rate"),
      wait: duration("wait", 3_900_500, "Wait"),
      never: duration("never", 0, "Never"),
      paths: list("path", ["a/*", "b c", "d,e"], "Paths"),
      nowhere: list("nowhere", [], "Nowhere"),
      labels: map("labels", new Map([["app", "web"]]), "Labels"),
      memory: optionalText("memory", ":memory:", "Held in a `directory` if given"),
      gone: text("gone", "", "Not shown", { deprecated: "gone" }),
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
