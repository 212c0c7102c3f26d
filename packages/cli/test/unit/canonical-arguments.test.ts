import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc, runs } from "@weir/testing/property";
import { Command, Option } from "commander";
import { bool, count, flagsOf, optionalText, text } from "../../src/declare.ts";
import { canonicalArguments } from "../../src/pflag.ts";

const flags = flagsOf({
  name: text("name", { usage: "", shorthand: "n" }),
  headers: text("no-headers", { usage: "" }),
  all: bool("all", { usage: "", shorthand: "a" }),
  verbose: count("verbose", { usage: "", shorthand: "v" }),
  memory: optionalText("memory", { bareText: ":memory:", usage: "" }),
});

/** A flag and its value. */
type Use = readonly [name: string, value: string];

/** A part of a command line as somebody may spell it, and what it means. */
interface Part {
  readonly spelled: readonly string[];
  readonly uses: readonly Use[];
  readonly operands: readonly string[];
}

/** A command line cut into flags and the rest. */
interface Meaning {
  readonly uses: readonly Use[];
  readonly operands: readonly string[];
}

/** Texts that a parser could take for something else, and others. */
const tricky = fc.oneof(
  fc.constantFrom("", "-", "--", "-n", "-1", "--all", "--help", "-h", "--name=x", "=", "==x", "sync", "help"),
  fc.constantFrom("two words", "two\nlines", "a=b", "a,b", "é", "\u001b[31m"),
  fc.string({ unit: "binary" }),
);

const textUse = fc
  .tuple(tricky, fc.constantFrom("--name=", "--name ", "-n ", "-n=", "-n", "--no-headers=", "--no-headers "))
  .filter(([value, start]) => !(start === "-n" && (value === "" || /^=./s.test(value))))
  .filter(([value, start]) => !(start === "-n=" && value === ""))
  .map(([value, start]): Part => {
    const name = start.startsWith("--no-headers") ? "no-headers" : "name";
    const spelled = start.endsWith(" ") ? [start.trimEnd(), value] : [`${start}${value}`];
    return { spelled, uses: [[name, value]], operands: [] };
  });

const bareUse = fc.constantFrom<Part>(
  { spelled: ["--all"], uses: [["all", "true"]], operands: [] },
  { spelled: ["-a"], uses: [["all", "true"]], operands: [] },
  { spelled: ["-a=no"], uses: [["all", "no"]], operands: [] },
  { spelled: ["--all="], uses: [["all", ""]], operands: [] },
  { spelled: ["--memory"], uses: [["memory", ":memory:"]], operands: [] },
  { spelled: ["--memory=--all"], uses: [["memory", "--all"]], operands: [] },
  {
    spelled: ["-vv"],
    uses: [
      ["verbose", "+1"],
      ["verbose", "+1"],
    ],
    operands: [],
  },
  {
    spelled: ["-vn", "--"],
    uses: [
      ["verbose", "+1"],
      ["name", "--"],
    ],
    operands: [],
  },
  {
    spelled: ["-avnx"],
    uses: [
      ["all", "true"],
      ["verbose", "+1"],
      ["name", "x"],
    ],
    operands: [],
  },
);

const operand = tricky
  .filter((word) => word === "-" || !word.startsWith("-"))
  .map((word): Part => ({ spelled: [word], uses: [], operands: [word] }));

const ending = fc
  .option(fc.array(tricky), { nil: undefined })
  .map(
    (words = []): Part =>
      words.length === 0
        ? { spelled: [], uses: [], operands: [] }
        : { spelled: ["--", ...words], uses: [], operands: words },
  );

const commandLine = fc
  .tuple(fc.array(fc.oneof(textUse, bareUse, operand)), ending)
  .map(([parts, last]): Part => {
    const all = [...parts, last];
    return {
      spelled: all.flatMap(({ spelled }) => spelled),
      uses: all.flatMap(({ uses }) => uses),
      operands: all.flatMap(({ operands }) => operands),
    };
  });

/** Words of which most are no command line that makes sense. */
const garbage = fc.array(
  fc.oneof(tricky, fc.constantFrom("--all=x", "-avz", "-n", "--name", "--", "---", "--=x", "--nope", "-z=1")),
);

describe("canonicalArguments", () => {
  it("means to commander what the command line means to pflag", () => {
    fc.assert(
      fc.property(commandLine, ({ spelled, uses, operands }) => {
        const { argv, given, error } = canonicalArguments(spelled, flags);

        assert.equal(error, undefined);
        assert.deepEqual(
          new Set([...given].map(({ declaration }) => declaration.name)),
          new Set(uses.map(([name]) => name)),
        );
        assert.deepEqual(readByCommander(argv), { uses, operands });
        assert.deepEqual(readBelowProgram(argv), { uses, operands });
      }),
      runs(300),
    );
  });

  it("leaves a canonical command line as it is", () => {
    fc.assert(
      fc.property(garbage, (args) => {
        const { argv } = canonicalArguments(args, flags);

        const again = canonicalArguments(argv, flags);
        assert.deepEqual([again.argv, again.error], [argv, undefined]);
      }),
      runs(300),
    );
  });

  it("gives commander nothing to refuse, whatever was typed", () => {
    fc.assert(
      fc.property(garbage, (args) => {
        const { argv } = canonicalArguments(args, flags);
        const { uses, operands } = readBelowProgram(argv);

        assert.deepEqual(argv, [...uses.map(([name, value]) => `--${name}=${value}`), "--", ...operands]);
      }),
      runs(300),
    );
  });
});

/** What commander takes arguments for. */
function readByCommander(argv: readonly string[]): Meaning {
  const uses: Use[] = [];
  const { operands, unknown } = withFlags(new Command(), uses).parseOptions([...argv]);
  assert.deepEqual(unknown, []);
  return { uses, operands };
}

/** The same for a command of a program, with all that commander does unasked: options and commands for help. */
function readBelowProgram(argv: readonly string[]): Meaning {
  const uses: Use[] = [];
  let operands: readonly string[] | undefined;
  const program = new Command("ctl").exitOverride();
  const command = withFlags(program.command("sync"), uses).argument("[words...]");
  command.action(() => {
    operands = command.args;
  });
  program.command("lock");
  program.parse(["sync", ...argv], { from: "user" });
  assert.ok(operands);
  return { uses, operands };
}

function withFlags(command: Command, uses: Use[]): Command {
  for (const { declaration } of flags) {
    const option = new Option(`--${declaration.name} <value>`);
    command.addOption(option.argParser((value) => void uses.push([declaration.name, value])));
  }
  return command;
}
