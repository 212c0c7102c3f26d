import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bool, flagsOf, text } from "../../../../src/base/cli/declare.ts";
import { findCommand } from "../../../../src/base/cli/find-command.ts";

const commands = [
  { name: "list-images" },
  { name: "list-workloads", aliases: ["list-controllers"] },
  { name: "sync" },
  { name: "lock" },
  { name: "unlock" },
  { name: "help" },
];

function find(...args: string[]): { command: string | undefined; args: readonly string[] } {
  const flags = flagsOf({ url: text("url", "", "", { shorthand: "u" }), dry: bool("dry", false, "") });
  const found = findCommand("fluxctl", args, commands, flags);
  return { command: found.command?.name, args: found.args };
}

describe("findCommand", () => {
  for (const [args, command, rest] of [
    [["sync"], "sync", []],
    [["list-controllers", "-a"], "list-workloads", ["-a"]],
    [["--url", "sync", "lock"], "lock", ["--url", "sync"]],
    [["-u", "x", "sync"], "sync", ["-u", "x"]],
    [["-u=x", "sync"], "sync", ["-u=x"]],
    [["--url=x", "--dry", "sync", "sync"], "sync", ["--url=x", "--dry", "sync"]],
    [["--unknown", "sync"], undefined, ["--unknown", "sync"]],
    [["-h", "sync"], undefined, ["-h", "sync"]],
    [["--", "sync"], undefined, ["--", "sync"]],
    [[], undefined, []],
  ] as const) {
    it(`finds ${command ?? "no command"} in "${args.join(" ")}"`, () => {
      assert.deepEqual(find(...args), { command, args: [...rest] });
    });
  }

  for (const [word, message] of [
    ["nonsense", 'unknown command "nonsense" for "fluxctl"'],
    ["lok", 'unknown command "lok" for "fluxctl"\n\nDid you mean this?\n\tlock\n'],
    ["list", 'unknown command "list" for "fluxctl"\n\nDid you mean this?\n\tlist-images\n\tlist-workloads\n'],
    ["SYNC", 'unknown command "SYNC" for "fluxctl"\n\nDid you mean this?\n\tsync\n'],
    ["hepl", 'unknown command "hepl" for "fluxctl"'],
  ] as const) {
    it(`suggests what ${word} may have meant`, () => {
      assert.throws(() => find(word), { message });
    });
  }
});
