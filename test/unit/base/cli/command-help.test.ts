import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { printCommandHelp, printProgramHelp } from "../../../../src/base/cli/command-help.ts";
import { bool, text } from "../../../../src/base/cli/declare.ts";

const url = text("url", "", "Where it is", { shorthand: "u" });
const program = {
  name: "ctl",
  long: "ctl does it.\n\n",
  flags: [url],
  commands: [
    { name: "sync", short: "Synchronize" },
    { name: "help", short: "Help" },
    { name: "list-workloads", short: "List" },
  ],
};
const help = bool("help", false, "help for it", { shorthand: "h" });

describe("printProgramHelp", () => {
  it("lists the commands by name, then the flags", () => {
    assert.equal(
      printProgramHelp(program, [url, help]),
      `ctl does it.

Usage:
  ctl [command]

Available Commands:
  help           Help
  list-workloads List
  sync           Synchronize

Flags:
  -h, --help         help for it
  -u, --url string   Where it is

Use "ctl [command] --help" for more information about a command.
`,
    );
  });
});

describe("printCommandHelp", () => {
  it("shows use, aliases, examples, its flags and those of every command", () => {
    const command = {
      use: "list-workloads",
      aliases: ["list-controllers"],
      short: "List what runs.",
      example: "  ctl list-workloads",
      flags: [help],
    };

    assert.equal(
      printCommandHelp(program, command),
      `List what runs.

Usage:
  ctl list-workloads [flags]

Aliases:
  list-workloads, list-controllers

Examples:
  ctl list-workloads

Flags:
  -h, --help   help for it

Global Flags:
  -u, --url string   Where it is
`,
    );
  });

  it("prefers the long text, and leaves out what a command does not have", () => {
    const command = {
      use: "completion SHELL",
      short: "",
      long: "\nLong.\n  ",
      flags: [],
      hidesFlagsInUse: true,
    };

    assert.equal(
      printCommandHelp({ ...program, flags: [] }, command),
      "\nLong.\n\nUsage:\n  ctl completion SHELL\n",
    );
  });
});
