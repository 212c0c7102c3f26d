import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type AnyFlag, findFlag, flagsOf } from "@weir/cli";
import { commands } from "../../cmd/fluxctl/commands/table.ts";
import { declareGlobalFlags } from "../../cmd/fluxctl/flags/globals.ts";
import { declareFluxdFlags } from "../../src/fluxd-flags/flags.ts";
import { readTable } from "../support/parity.ts";

interface FluxdFlag {
  readonly name: string;
  readonly shorthand: string | null;
  readonly helpType: string;
  /** As help shows it; null where it says nothing. */
  readonly helpDefault: string | null;
  readonly deprecated: string | null;
}

interface FluxctlFlag {
  /** null for those of every command. */
  readonly command: string | null;
  readonly name: string;
  readonly shorthand: string | null;
  readonly type: string;
  readonly default: string | number | boolean | readonly string[] | Readonly<Record<string, string>>;
  readonly deprecated: string | null;
}

/** What pflag calls the types of flags, and how its help speaks of them. */
const helpWords: Readonly<Record<string, string>> = { bool: "", stringSlice: "strings" };

/** Flags whose default depends on the machine, and is not in help or not to be recorded. */
const ofTheMachine = ["kube-config", "user"];

describe("the flags of fluxd", () => {
  const flags = flagsOf(declareFluxdFlags(""));
  for (const row of readTable("fluxd/flags.jsonl") as readonly FluxdFlag[]) {
    it(`have --${row.name} as Flux v1 has it`, () => {
      const flag = findFlag(flags, row.name);

      assert.deepEqual(flag && describeFlag(flag), {
        shorthand: row.shorthand,
        word: row.helpType,
        standard: ofTheMachine.includes(row.name) ? null : row.helpDefault,
        deprecated: row.deprecated,
      });
    });
  }
});

describe("the flags of fluxctl", () => {
  for (const row of (readTable("fluxctl/flags.jsonl") as readonly FluxctlFlag[]).filter(isOurs)) {
    it(`have ${row.command ?? "for every command"} --${row.name} as Flux v1 has it`, async () => {
      const flag = findFlag(await flagsOfCommand(row.command), row.name);

      assert.deepEqual(flag && describeFlag(flag), {
        shorthand: row.shorthand,
        word: helpWords[row.type] ?? row.type,
        standard: printDefault(row),
        deprecated: row.deprecated,
      });
    });
  }
});

/** The help flag is the same for every command, and not a command's own. */
function isOurs({ name }: FluxctlFlag): boolean {
  return name !== "help";
}

async function flagsOfCommand(name: string | null): Promise<readonly AnyFlag[]> {
  const entry = commands.find((command) => command.name === name);
  if (entry === undefined) {
    return flagsOf(declareGlobalFlags());
  }
  return (await entry.load()).flags;
}

function describeFlag(flag: AnyFlag) {
  const { name, shorthand, deprecated } = flag.declaration;
  return {
    shorthand: shorthand ?? null,
    word: flag.type.word,
    standard: ofTheMachine.includes(name) ? null : (flag.printDefault() ?? null),
    deprecated: deprecated ?? null,
  };
}

function printDefault({ name, type, default: standard }: FluxctlFlag): string | null {
  if (ofTheMachine.includes(name) || standard === "" || standard === 0 || standard === false) {
    return null;
  }
  if (typeof standard !== "object") {
    return type === "string" ? JSON.stringify(standard) : String(standard);
  }
  const items = Object.entries(standard).map(([key, value]) => `${key}=${value}`);
  return items.length === 0 ? null : `[${items.join(",")}]`;
}
