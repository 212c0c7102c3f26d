import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Command } from "commander";
import { printCommandHelp, printProgramHelp } from "../../src/command-help.ts";
import { bool, text } from "../../src/declare.ts";

const url = text("url", { usage: "Where it is", shorthand: "u" });
const program = new Command("ctl").description("ctl does it.\n\n");
const sync = program.command("sync").summary("Synchronize");
program.command("help").summary("Help");
const listWorkloads = program.command("list-workloads").summary("List").aliases(["list-controllers"]);
const help = bool("help", { usage: "help for it", shorthand: "h" });

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
    const command = listWorkloads.description("List what runs.").usage("[flags]");
    const example = "  ctl list-workloads";

    assert.equal(
      printCommandHelp(command, { example, flags: [help], globalFlags: [url] }),
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

  it("leaves out what a command does not have", () => {
    const command = sync.description("\nLong.\n  ").usage("WHAT");

    assert.equal(
      printCommandHelp(command, { example: undefined, flags: [], globalFlags: [] }),
      "\nLong.\n\nUsage:\n  ctl sync WHAT\n",
    );
  });
});
