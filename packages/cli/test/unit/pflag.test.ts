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
import { type ParsedArguments, parseArguments } from "../../src/parse-arguments.ts";

function declare() {
  return {
    name: text("name", { default: "nobody", usage: "a name", shorthand: "n" }),
    quiet: bool("quiet", { usage: "say less", shorthand: "q" }),
    color: bool("color", { default: true, usage: "use colours" }),
    verbose: count("verbose", { usage: "say more", shorthand: "v" }),
    limit: int("limit", { default: 10, usage: "how many", shorthand: "l" }),
    bits: optionalUint("bits", { usage: "how many bits" }),
    rate: float("rate", { default: 50, usage: "how fast" }),
    wait: duration("wait", { default: 60_000, usage: "how long" }),
    paths: list("path", { default: ["all"], usage: "where" }),
    labels: map("labels", { default: new Map([["app", "web"]]), usage: "which" }),
    memory: optionalText("memory", { bareText: ":memory:", usage: "in memory" }),
    old: text("old", { usage: "the old name", shorthand: "o", deprecated: "use --name instead" }),
  };
}

function read(...args: string[]): { flags: ReturnType<typeof declare>; parsed: ParsedArguments } {
  const flags = declare();
  return { flags, parsed: parseArguments(args, flagsOf(flags)) };
}

/** What the flags hold that were given, and the other arguments. */
function given(...args: string[]): { values: Record<string, unknown>; positional: readonly string[] } {
  const { flags, parsed } = read(...args);
  assert.equal(parsed.error, undefined);
  const set = Object.entries(flags).filter(([, { isSet }]) => isSet);
  return {
    values: Object.fromEntries(set.map(([key, { value }]) => [key, value])),
    positional: parsed.positional,
  };
}

describe("parseArguments", () => {
  for (const [args, values] of [
    [["--name=a"], { name: "a" }],
    [["--name", "a"], { name: "a" }],
    [["--name="], { name: "" }],
    [["--name=a=b"], { name: "a=b" }],
    [["--name=two\nlines"], { name: "two\nlines" }],
    [["--name", "--quiet"], { name: "--quiet" }],
    [["-n", "a"], { name: "a" }],
    [["-na"], { name: "a" }],
    [["-n=a"], { name: "a" }],
    [["-n="], { name: "=" }],
    [["--quiet"], { quiet: true }],
    [["--quiet=false"], { quiet: false }],
    [["--color=F"], { color: false }],
    [["-q=0"], { quiet: false }],
    [["-qvn", "a"], { quiet: true, verbose: 1, name: "a" }],
    [["-vvv", "--verbose"], { verbose: 4 }],
    [["--verbose=7", "-v"], { verbose: 8 }],
    [["-l=3"], { limit: 3 }],
    [["-l-1"], { limit: -1 }],
    [["--limit=0x1F"], { limit: 31 }],
    [["--limit=0o17"], { limit: 15 }],
    [["--limit=017"], { limit: 15 }],
    [["--limit=0b101"], { limit: 5 }],
    [["--limit=1_000"], { limit: 1000 }],
    [["--bits=18446744073709551615"], { bits: 18446744073709551615n }],
    [["--rate=1.5e3"], { rate: 1500 }],
    [["--wait=1h5m0.5s"], { wait: 3_900_500 }],
    [["--path=a,b", "--path", "c"], { paths: ["a", "b", "c"] }],
    [['--path="a,b","say ""hi"""'], { paths: ["a,b", 'say "hi"'] }],
    [["--path="], { paths: [] }],
    [["--path=", "--path=a"], { paths: ["a"] }],
    [["--labels=a=1"], { labels: new Map([["a", "1"]]) }],
    [["--labels=a=1,2"], { labels: new Map([["a", "1,2"]]) }],
    [
      ["--labels=a=1,b=2", "--labels=b=3"],
      {
        labels: new Map([
          ["a", "1"],
          ["b", "3"],
        ]),
      },
    ],
    [["--memory"], { memory: ":memory:" }],
    [["--memory=here"], { memory: "here" }],
  ] as const) {
    it(`reads ${args.join(" ")}`, () => {
      assert.deepEqual(given(...args), { values, positional: [] });
    });
  }

  for (const [args, values, positional] of [
    [["one", "--quiet", "two"], { quiet: true }, ["one", "two"]],
    [["--quiet", "false"], { quiet: true }, ["false"]],
    [["--memory", "here"], { memory: ":memory:" }, ["here"]],
    [["-q", "--", "--name", "-v"], { quiet: true }, ["--name", "-v"]],
    [["-", ""], {}, ["-", ""]],
  ] as const) {
    it(`keeps what is no flag in ${args.join(" ")}`, () => {
      assert.deepEqual(given(...args), { values, positional: [...positional] });
    });
  }

  it("gives the defaults of flags that are not there", () => {
    const { flags } = read();

    assert.deepEqual(
      [flags.name.value, flags.color.value, flags.paths.value, flags.bits.value],
      ["nobody", true, ["all"], undefined],
    );
  });

  it("warns each time of a flag that is deprecated, and still takes it", () => {
    const { flags, parsed } = read("--old=a", "-o", "b");

    assert.equal(flags.old.value, "b");
    assert.deepEqual(parsed.warnings, [
      "Flag --old has been deprecated, use --name instead",
      "Flag --old has been deprecated, use --name instead",
    ]);
  });

  for (const args of [["--help"], ["-h"], ["-qh"], ["--help=true"]]) {
    it(`ends where ${args.join(" ")} asks for help that nobody declared`, () => {
      const { flags, parsed } = read(...args, "--name=a");

      assert.equal(parsed.help, true);
      assert.equal(flags.name.isSet, false);
    });
  }

  for (const [args, message] of [
    [["--nonsense"], "unknown flag: --nonsense"],
    [["--nonsense=1"], "unknown flag: --nonsense"],
    [["--Name=a"], "unknown flag: --Name"],
    [["---name"], "bad flag syntax: ---name"],
    [["--=a"], "bad flag syntax: --=a"],
    [["-x"], "unknown shorthand flag: 'x' in -x"],
    [["-qxy"], "unknown shorthand flag: 'x' in -xy"],
    [["-q="], "unknown shorthand flag: '=' in -="],
    [["--name"], "flag needs an argument: --name"],
    [["-qn"], "flag needs an argument: 'n' in -n"],
    [
      ["--limit=ten"],
      'invalid argument "ten" for "-l, --limit" flag: strconv.ParseInt: parsing "ten": invalid syntax',
    ],
    [["-l", ""], 'invalid argument "" for "-l, --limit" flag: strconv.ParseInt: parsing "": invalid syntax'],
    [
      ["--limit=9223372036854775808"],
      'invalid argument "9223372036854775808" for "-l, --limit" flag: strconv.ParseInt: parsing "9223372036854775808": value out of range',
    ],
    [
      ["--limit=09"],
      'invalid argument "09" for "-l, --limit" flag: strconv.ParseInt: parsing "09": invalid syntax',
    ],
    [
      ["--bits=-1"],
      'invalid argument "-1" for "--bits" flag: strconv.ParseUint: parsing "-1": invalid syntax',
    ],
    [
      ["--rate=fast"],
      'invalid argument "fast" for "--rate" flag: strconv.ParseFloat: parsing "fast": invalid syntax',
    ],
    [
      ["--quiet=maybe"],
      'invalid argument "maybe" for "-q, --quiet" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
    [["--wait=soon"], 'invalid argument "soon" for "--wait" flag: time: invalid duration "soon"'],
    [["--wait=5"], 'invalid argument "5" for "--wait" flag: time: missing unit in duration "5"'],
    [["--labels=a"], 'invalid argument "a" for "--labels" flag: a must be formatted as key=value'],
    [
      ["--labels=a=1,b=2,c"],
      'invalid argument "a=1,b=2,c" for "--labels" flag: c must be formatted as key=value',
    ],
    [
      ['--path=a"b'],
      'invalid argument "a\\"b" for "--path" flag: parse error on line 1, column 2: bare " in non-quoted-field',
    ],
    [
      ['--path="a'],
      'invalid argument "\\"a" for "--path" flag: parse error on line 1, column 3: extraneous or missing " in quoted-field',
    ],
  ] as const) {
    it(`refuses ${args.join(" ")} in pflag's words`, () => {
      assert.equal(read(...args).parsed.error?.message, message);
    });
  }
});
